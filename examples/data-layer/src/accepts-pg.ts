// Nothing runs here: tsc sees that what node-postgres has is taken as a client.
import type pg from 'pg';
import type { Queryable } from './launch.js';

type Takes<Client extends Queryable> = Client;
export type Clients = Takes<pg.Client> | Takes<pg.Pool> | Takes<pg.PoolClient>;
