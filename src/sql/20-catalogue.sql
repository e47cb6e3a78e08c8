-- The catalogue: models, the networks of image pipelines, and GPU types.

CREATE TABLE @extschema@.gpu_models (
    model text PRIMARY KEY
        CONSTRAINT model_is_a_name CHECK (model <> '' AND octet_length(model) <= 255),
    kind text NOT NULL DEFAULT 'language'
        CONSTRAINT kind_is_language_speech_or_image CHECK (kind IN ('language', 'speech', 'image')),
    params bigint CONSTRAINT params_is_above_zero CHECK (params > 0),
    layers integer CONSTRAINT layers_is_above_zero CHECK (layers > 0),
    attention_heads integer
        CONSTRAINT attention_heads_is_from_1_to_16384 CHECK (attention_heads BETWEEN 1 AND 16384),
    kv_heads integer CONSTRAINT kv_heads_is_above_zero CHECK (kv_heads > 0),
    head_dim integer CONSTRAINT head_dim_is_above_zero CHECK (head_dim > 0),
    hidden_size integer CONSTRAINT hidden_size_is_above_zero CHECK (hidden_size > 0),
    intermediate_size integer CONSTRAINT intermediate_size_is_above_zero CHECK (intermediate_size > 0),
    experts integer CONSTRAINT experts_is_above_zero CHECK (experts > 0),
    experts_per_token integer CONSTRAINT experts_per_token_is_above_zero CHECK (experts_per_token > 0),
    expert_intermediate_size integer
        CONSTRAINT expert_intermediate_size_is_above_zero CHECK (expert_intermediate_size > 0),
    vocab_size integer CONSTRAINT vocab_size_is_above_zero CHECK (vocab_size > 0),
    max_context integer CONSTRAINT max_context_is_above_zero CHECK (max_context > 0),
    kv_layers integer CONSTRAINT kv_layers_is_zero_or_more CHECK (kv_layers >= 0),
    sliding_window integer CONSTRAINT sliding_window_is_above_zero CHECK (sliding_window > 0),
    sliding_layers integer CONSTRAINT sliding_layers_is_above_zero CHECK (sliding_layers > 0),
    sliding_kv_heads integer CONSTRAINT sliding_kv_heads_is_above_zero CHECK (sliding_kv_heads > 0),
    sliding_head_dim integer CONSTRAINT sliding_head_dim_is_above_zero CHECK (sliding_head_dim > 0),
    kv_latent_dim integer CONSTRAINT kv_latent_dim_is_above_zero CHECK (kv_latent_dim > 0),
    q_lora_rank integer CONSTRAINT q_lora_rank_is_zero_or_more CHECK (q_lora_rank >= 0),
    qk_nope_head_dim integer CONSTRAINT qk_nope_head_dim_is_above_zero CHECK (qk_nope_head_dim > 0),
    qk_rope_head_dim integer CONSTRAINT qk_rope_head_dim_is_above_zero CHECK (qk_rope_head_dim > 0),
    v_head_dim integer CONSTRAINT v_head_dim_is_above_zero CHECK (v_head_dim > 0),
    state_bytes bigint CONSTRAINT state_bytes_is_zero_or_more CHECK (state_bytes >= 0),
    decoder_layers integer CONSTRAINT decoder_layers_is_above_zero CHECK (decoder_layers > 0),
    decoder_heads integer CONSTRAINT decoder_heads_is_above_zero CHECK (decoder_heads > 0),
    max_target_positions integer
        CONSTRAINT max_target_positions_is_above_zero CHECK (max_target_positions > 0),
    max_source_positions integer
        CONSTRAINT max_source_positions_is_above_zero CHECK (max_source_positions > 0),
    unquantized_params bigint
        CONSTRAINT unquantized_params_is_zero_or_more CHECK (unquantized_params >= 0),
    licence text,
    source_url text,
    own boolean NOT NULL DEFAULT false,
    CONSTRAINT kv_layers_are_among_the_layers CHECK (kv_layers <= layers),
    CONSTRAINT sliding_layers_are_among_the_layers
        CHECK (sliding_layers <= coalesce(kv_layers, layers)),
    CONSTRAINT unquantized_params_are_among_the_params CHECK (unquantized_params <= params),
    CONSTRAINT rotary_part_is_in_the_latent_dim CHECK (qk_rope_head_dim < kv_latent_dim)
);

COMMENT ON TABLE @extschema@.gpu_models IS
    'The catalogue of models: figures of their published configurations. Add your own with a plain INSERT: they are dumped and restored, and win over a shipped row of the same name until deleted. A figure that is not known is NULL, and a need that depends on it is NULL.';
COMMENT ON COLUMN @extschema@.gpu_models.model IS 'Name on Hugging Face, such as meta-llama/Llama-3.1-8B.';
COMMENT ON COLUMN @extschema@.gpu_models.kind IS 'language, speech or image.';
COMMENT ON COLUMN @extschema@.gpu_models.params IS 'Parameters that are loaded, each once, exact. Image pipelines: over all networks.';
COMMENT ON COLUMN @extschema@.gpu_models.layers IS 'Transformer layers; speech: of the encoder.';
COMMENT ON COLUMN @extschema@.gpu_models.attention_heads IS 'Attention (query) heads of a layer; a number of GPUs must divide them. NULL: cannot be split.';
COMMENT ON COLUMN @extschema@.gpu_models.kv_heads IS 'Key/value heads of a layer with full attention.';
COMMENT ON COLUMN @extschema@.gpu_models.head_dim IS 'Numbers in a key (and value) of one head.';
COMMENT ON COLUMN @extschema@.gpu_models.hidden_size IS 'Width of the residual stream.';
COMMENT ON COLUMN @extschema@.gpu_models.intermediate_size IS 'Width of the dense feed-forward layer.';
COMMENT ON COLUMN @extschema@.gpu_models.experts IS 'Experts of a layer; NULL for a dense model.';
COMMENT ON COLUMN @extschema@.gpu_models.experts_per_token IS 'Experts that a token goes to.';
COMMENT ON COLUMN @extschema@.gpu_models.expert_intermediate_size IS 'Feed-forward width of one expert.';
COMMENT ON COLUMN @extschema@.gpu_models.vocab_size IS 'Rows of the embedding.';
COMMENT ON COLUMN @extschema@.gpu_models.max_context IS 'Longest context in tokens; NULL where none is published.';
COMMENT ON COLUMN @extschema@.gpu_models.kv_layers IS 'Layers that keep a KV cache, where not all do (0: a model without attention); NULL: all layers.';
COMMENT ON COLUMN @extschema@.gpu_models.sliding_window IS 'Most tokens of a request that a sliding layer keeps.';
COMMENT ON COLUMN @extschema@.gpu_models.sliding_layers IS 'How many of the layers that keep a KV cache slide; NULL: none.';
COMMENT ON COLUMN @extschema@.gpu_models.sliding_kv_heads IS 'KV heads of a sliding layer; NULL: as kv_heads.';
COMMENT ON COLUMN @extschema@.gpu_models.sliding_head_dim IS 'Head dimension of a sliding layer; NULL: as head_dim.';
COMMENT ON COLUMN @extschema@.gpu_models.kv_latent_dim IS 'Latent attention (MLA): numbers that a layer keeps of a token, compressed KV plus rotary part; NULL: ordinary attention.';
COMMENT ON COLUMN @extschema@.gpu_models.q_lora_rank IS 'Latent attention: rank of the query compression; 0: none; NULL: not known.';
COMMENT ON COLUMN @extschema@.gpu_models.qk_nope_head_dim IS 'Latent attention: numbers of a query head without rotary position.';
COMMENT ON COLUMN @extschema@.gpu_models.qk_rope_head_dim IS 'Latent attention: numbers of a query head with rotary position; part of kv_latent_dim.';
COMMENT ON COLUMN @extschema@.gpu_models.v_head_dim IS 'Numbers in a value of one head, where it differs from head_dim.';
COMMENT ON COLUMN @extschema@.gpu_models.state_bytes IS 'Recurrent state of one request in bytes, whatever its length, whole on each GPU; NULL: none.';
COMMENT ON COLUMN @extschema@.gpu_models.decoder_layers IS 'Speech: layers of the decoder.';
COMMENT ON COLUMN @extschema@.gpu_models.decoder_heads IS 'Speech: attention heads of the decoder.';
COMMENT ON COLUMN @extschema@.gpu_models.max_target_positions IS 'Speech: positions of the decoder.';
COMMENT ON COLUMN @extschema@.gpu_models.max_source_positions IS 'Speech: positions of the encoder.';
COMMENT ON COLUMN @extschema@.gpu_models.unquantized_params IS 'Parameters that quantized builds often keep at 16 bits: embeddings and output head; image pipelines: text encoders and autoencoder, always counted at 16 bits.';
COMMENT ON COLUMN @extschema@.gpu_models.licence IS 'Licence as its publisher states it; NULL where none was read.';
COMMENT ON COLUMN @extschema@.gpu_models.source_url IS 'Where the model is published.';
COMMENT ON COLUMN @extschema@.gpu_models.own IS 'true for rows of your own (kept by itself): what differs from the rows that the extension ships.';

CREATE INDEX gpu_models_lower_name ON @extschema@.gpu_models (lower(model));
CREATE INDEX gpu_models_lower_short_name ON @extschema@.gpu_models (lower(split_part(model, '/', -1)));

CREATE TABLE @extschema@.gpu_model_networks (
    model text NOT NULL,
    network text NOT NULL
        CONSTRAINT network_is_a_name CHECK (network <> '' AND octet_length(network) <= 255),
    class_name text,
    params bigint CONSTRAINT params_is_above_zero CHECK (params > 0),
    position integer NOT NULL CONSTRAINT position_is_above_zero CHECK (position > 0),
    quantized boolean NOT NULL DEFAULT false,
    native_resolution integer CONSTRAINT native_resolution_is_above_zero CHECK (native_resolution > 0),
    own boolean NOT NULL DEFAULT false,
    PRIMARY KEY (model, network)
);
COMMENT ON TABLE @extschema@.gpu_model_networks IS
    'The networks that an image pipeline loads: denoiser, text encoders, autoencoder. Add your own after their pipeline in gpu_models, whose params and unquantized_params are then kept as their sums.';
COMMENT ON COLUMN @extschema@.gpu_model_networks.model IS 'The pipeline: a model of kind image in gpu_models.';
COMMENT ON COLUMN @extschema@.gpu_model_networks.network IS 'Role in the pipeline: denoiser, text_encoder, vae and so on.';
COMMENT ON COLUMN @extschema@.gpu_model_networks.class_name IS 'Class of the network in its published configuration.';
COMMENT ON COLUMN @extschema@.gpu_model_networks.params IS 'Parameters, exact; NULL where not known.';
COMMENT ON COLUMN @extschema@.gpu_model_networks.position IS 'Order of the lines of an answer.';
COMMENT ON COLUMN @extschema@.gpu_model_networks.quantized IS 'true for the denoiser, which is counted at the bits asked for; the others are counted at 16 bits.';
COMMENT ON COLUMN @extschema@.gpu_model_networks.native_resolution IS 'Pixels of an edge of the image that the pipeline is made for.';
COMMENT ON COLUMN @extschema@.gpu_model_networks.own IS 'true for rows of your own (kept by itself).';

CREATE TABLE @extschema@.gpu_types (
    gpu_name text PRIMARY KEY,
    vendor text NOT NULL,
    memory_gb double precision CONSTRAINT memory_gb_is_above_zero CHECK (memory_gb > 0 AND memory_gb < 'infinity'),
    memory_gib double precision CONSTRAINT memory_gib_is_above_zero CHECK (memory_gib > 0 AND memory_gib < 'infinity'),
    reported_mib integer CONSTRAINT reported_mib_is_above_zero CHECK (reported_mib > 0),
    reported_mib_max integer CONSTRAINT reported_mib_max_is_above_zero CHECK (reported_mib_max > 0),
    ecc_reserved boolean,
    aliases text[] NOT NULL DEFAULT '{}'
        CONSTRAINT aliases_hold_no_null CHECK (array_position(aliases, NULL) IS NULL),
    own boolean NOT NULL DEFAULT false
);
COMMENT ON TABLE @extschema@.gpu_types IS 'GPU types: datasheet memory, what drivers report, and the other names they go by.';
COMMENT ON COLUMN @extschema@.gpu_types.gpu_name IS 'Name of the type, with its memory where there are several sizes.';
COMMENT ON COLUMN @extschema@.gpu_types.vendor IS 'Maker: NVIDIA, AMD or Intel.';
COMMENT ON COLUMN @extschema@.gpu_types.memory_gb IS 'Memory in the GB of the maker''s datasheet; NULL where not known.';
COMMENT ON COLUMN @extschema@.gpu_types.memory_gib IS 'Memory in GiB (2^30 bytes); NULL where not known.';
COMMENT ON COLUMN @extschema@.gpu_types.reported_mib IS 'MiB that the driver reports, the smallest figure seen; NULL where none was.';
COMMENT ON COLUMN @extschema@.gpu_types.reported_mib_max IS 'MiB that the driver reports, the largest figure seen, where there are several.';
COMMENT ON COLUMN @extschema@.gpu_types.ecc_reserved IS 'Whether error correction takes a part of the memory; NULL where not known.';
COMMENT ON COLUMN @extschema@.gpu_types.aliases IS 'Other names, as drivers, clouds and marketplaces write them. Some belong to more than one type.';
COMMENT ON COLUMN @extschema@.gpu_types.own IS 'true for rows of your own (kept by itself).';

-- @catalogue@
