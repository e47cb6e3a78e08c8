-- What a user may have put into the catalogue and the fleet. Run with the extension's schema on the
-- search_path.
SET client_min_messages = warning;
CREATE TEMP TABLE pipelines AS
SELECT model, row_number() OVER (ORDER BY model COLLATE "C") AS nth FROM gpu_models AS m
 WHERE params > 0 AND model <> 'black-forest-labs/FLUX.1-dev'
   AND EXISTS (SELECT FROM gpu_model_networks AS n WHERE n.model = m.model AND network = 'vae');

-- New models, in place of shipped ones, and shipped ones edited; names that need escaping in COPY.
INSERT INTO gpu_models (model, params, layers, attention_heads, kv_heads, head_dim, max_context, licence) VALUES
    ('me/my-13b', 13015864320, 40, 40, 40, 128, 4096, 'mine'),
    ('me/same-as-next', 1000000000, 16, 16, 16, 64, 2048, NULL),
    (E'me/o''brien \\ "x"\t\\N', 7000000000, 32, 32, 8, 128, 8192, E'two\nlines'),
    ('meta-llama/Llama-3.1-70B', 70000000000, 80, 64, 8, 128, 4096, 'in place of the shipped one');
UPDATE gpu_models SET max_context = 2048 WHERE model = 'meta-llama/Llama-3.2-1B';

-- An own pipeline, one in place of a shipped one, and shipped ones with a network changed, dropped,
-- added, changed in nothing that counts, with another licence, and without networks.
INSERT INTO gpu_models (model, kind) VALUES ('me/my-old-pipeline', 'image');
INSERT INTO gpu_model_networks (model, network, class_name, params, position, quantized, native_resolution) VALUES
    ('me/my-old-pipeline', 'denoiser', 'MyTransformer', 2000000000, 1, true, 1024),
    ('me/my-old-pipeline', 'text_encoder', 'MyEncoder', 500000000, 2, false, 1024),
    ('me/my-old-pipeline', 'vae', 'MyAutoencoder', 80000000, 3, false, 1024);
INSERT INTO gpu_models (model, kind, params, unquantized_params)
SELECT model, 'image', 5000000000, 1000000000 FROM pipelines WHERE nth = 1;
UPDATE gpu_model_networks SET params = params + 1000 WHERE (model, network) = ('black-forest-labs/FLUX.1-dev', 'vae');
DELETE FROM gpu_model_networks WHERE model = (SELECT model FROM pipelines WHERE nth = 2) AND network = 'vae';
INSERT INTO gpu_model_networks (model, network, params, position)
SELECT model, 'controlnet', 360000000, 9 FROM pipelines WHERE nth = 3;
UPDATE gpu_model_networks SET class_name = 'Mine' WHERE model = (SELECT model FROM pipelines WHERE nth = 4) AND network = 'vae';
UPDATE gpu_models SET licence = 'mine' WHERE model = (SELECT model FROM pipelines WHERE nth = 5);
DELETE FROM gpu_model_networks WHERE model = (SELECT model FROM pipelines WHERE nth = 6);
UPDATE gpu_models SET model = 'me/my-pipeline' WHERE model = 'me/my-old-pipeline';
-- What cannot be: the sums stay those of the networks.
UPDATE gpu_models SET params = 1, unquantized_params = 1 WHERE model = 'me/my-pipeline';

-- GPU types: one new, one in place of a shipped one, one edited.
INSERT INTO gpu_types (gpu_name, vendor, memory_gb, aliases) VALUES
    ('My GPU', 'Me', 20, ARRAY['a, b', 'say "x"', '{}']),
    ('L4 24GB', 'NVIDIA', 23, '{}');
UPDATE gpu_types SET reported_mib = 40000 WHERE gpu_name = 'A40 48GB';

INSERT INTO gpu_machines
SELECT 'm' || i, CASE i % 2 WHEN 0 THEN 'secure' ELSE 'community' END,
       CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN 'DE' WHEN 2 THEN 'FR' WHEN 3 THEN 'US' ELSE 'RE' END,
       CASE WHEN i % 7 > 0 THEN 'GPU ' || i % 7 END, 1 + i % 8,
       CASE WHEN i % 11 > 0 THEN (i % 11) * 8 + 1.0 / 3 END,
       CASE i % 4 WHEN 0 THEN 'datacenter' WHEN 1 THEN 'datasheet' WHEN 2 THEN 'provider' END,
       CASE WHEN i % 13 > 0 THEN (i % 13) * 0.1234567890123456789 END, i % 6 > 0, i % 3 = 0,
       CASE WHEN i % 9 = 0 THEN i / 7.0 END
  FROM generate_series(1, 300) AS i;
INSERT INTO gpu_measurements
SELECT 'm' || i, 'me/my-13b', 8, i / 3.0, 'tokens/s', timestamptz '2025-01-01 12:00:00.123456+02' + i * interval '1 day'
  FROM generate_series(1, 300, 3) AS i;
