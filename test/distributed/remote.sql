-- A server that holds a part of the fleet: one role that reads it, and nobody else but its owner.
CREATE ROLE fleet_reader LOGIN PASSWORD 'only reads';
REVOKE SELECT ON gpu_machines FROM PUBLIC;
GRANT SELECT ON gpu_machines TO fleet_reader;
