// launch_by_workload as one typed call: one query, one jsonb, whose keys README.md documents.
//
//     const answer = await launchByWorkload(client, { model: 'llama-3.1-8b', maxPrice: 2, countries: ['EU'] });
//     answer.recommended[0]?.why

/** What is asked of a client of node-postgres: Client, PoolClient and Pool all have it. */
export interface Queryable {
  query(text: string, values: unknown[]): Promise<{ rows: { answer: LaunchAnswer }[] }>;
}

/** What is to run, and what is preferred. Whatever is left out has the extension's default. */
export interface Workload {
  /** Name of the model, as in gpu_models; none for a notebook. */
  model?: string;
  /** Precision of the weights. */
  bits?: 16 | 8 | 4;
  /** Context in tokens; sequence length of a fine-tuning. */
  ctx?: number;
  /** Concurrent requests or audio streams; batch size of a fine-tuning. */
  conc?: number;
  task?: 'run' | 'finetune' | 'image' | 'notebook';
  /** GPU memory of a notebook, in GiB. */
  memoryGib?: number;
  /** Money to spend, shown as hours. */
  budget?: number;
  /** Highest price an hour. */
  maxPrice?: number;
  tier?: Tier | 'both';
  /** ISO 3166-1 alpha-2 codes; EU stands for its 27 member states. */
  countries?: string[];
  /** The most machines in each list. */
  maxMachines?: number;
}

export type Tier = 'secure' | 'community';
export type Confidence = 'high' | 'medium' | 'low';
export type MemorySource = 'datacenter' | 'datasheet' | 'provider';

export interface LaunchAnswer {
  gpu_memory_needed: MemoryNeeded;
  /** Cheapest first. */
  recommended: Machine[];
  /** Cheapest first. */
  alternatives: Alternative[];
  /** In order, with the machines that were left after each. */
  constraints: Constraint[];
}

export interface MemoryNeeded {
  /** The workload and its need in words; null where the need is not known. */
  workload: string | null;
  total_gib: number | null;
  total_bytes: number | null;
  items: MemoryItem[];
  assumptions: string[];
}

export interface MemoryItem {
  item: string;
  formula: string;
  bytes: number | null;
  gib: number | null;
  assumption: string;
}

export interface Machine {
  machine_id: string;
  tier: Tier;
  country: string | null;
  gpu_name: string | null;
  gpu_count: number;
  gpu_memory_gib: number;
  memory_source: MemorySource | null;
  gpus_used: number;
  needed_gib_per_gpu: number;
  free_gib_per_gpu: number;
  price_per_hour: number;
  budget_hours: number | null;
  confidence: Confidence;
  why: string;
  limits: string[];
  interruptible: boolean;
  max_booking_hours: number | null;
  measured_speed: number | null;
  measured_unit: string | null;
}

export interface Alternative extends Machine {
  alternative: string;
  bits: number;
  /** How many machines this alternative has. */
  machines: number;
  /** What it brings, in words. */
  gain: string;
}

export interface Constraint {
  position: number;
  constraint_name: string;
  value: string;
  machines_left: number;
  /** What would help most; null unless no machine was left. */
  advice: string | null;
}

/** The names of the arguments in SQL. */
const ARGUMENTS = {
  model: 'model',
  bits: 'bits',
  ctx: 'ctx',
  conc: 'conc',
  task: 'task',
  memoryGib: 'memory_gib',
  budget: 'budget',
  maxPrice: 'max_price',
  tier: 'tier',
  countries: 'countries',
  maxMachines: 'max_machines',
} as const satisfies Record<keyof Workload, string>;

/**
 * The whole answer to a workload, of one snapshot. A wrong argument rejects with the error of
 * node-postgres: `code` 22023, `message` what is wrong, `hint` what to write instead.
 */
export async function launchByWorkload(client: Queryable, workload: Workload): Promise<LaunchAnswer> {
  // Only what is given is named: the rest keeps its default, which NULL would not.
  const given = (Object.keys(ARGUMENTS) as (keyof Workload)[]).filter((name) => workload[name] !== undefined);
  const list = given.map((name, place) => `${ARGUMENTS[name]} => $${place + 1}`).join(', ');
  const { rows } = await client.query(`SELECT launch_by_workload(${list}) AS answer`, given.map((name) => workload[name]));
  return rows[0]!.answer;
}
