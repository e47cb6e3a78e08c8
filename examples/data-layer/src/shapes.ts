// The types of launch.ts once more, as values: a program sees by them whether an answer is of its
// type. tsc refuses this file where a key is missing, superfluous or of another kind.
import type { Alternative, Confidence, Constraint, LaunchAnswer, Machine, MemoryItem, MemoryNeeded, MemorySource, Tier } from './launch.js';

type Kind<T> =
  [T] extends [boolean] ? 'boolean'
  : [T] extends [number] ? 'number'
  : [T] extends [string] ? (string extends T ? 'string' : readonly T[])
  : [T] extends [number | null] ? 'number?'
  : [T] extends [string | null] ? (string extends T ? 'string?' : readonly T[])
  : [T] extends [string[]] ? 'string[]'
  : [T] extends [(infer Element)[]] ? [Shape<Element>]
  : Shape<T>;
type Shape<T> = { [Key in keyof T]: Kind<T[Key]> };

const TIERS: readonly Tier[] = ['secure', 'community'];
const CONFIDENCES: readonly Confidence[] = ['high', 'medium', 'low'];
const SOURCES: readonly (MemorySource | null)[] = ['datacenter', 'datasheet', 'provider', null];

const item = {
  item: 'string',
  formula: 'string',
  bytes: 'number?',
  gib: 'number?',
  assumption: 'string',
} as const satisfies Shape<MemoryItem>;

const needed = {
  workload: 'string?',
  total_gib: 'number?',
  total_bytes: 'number?',
  items: [item],
  assumptions: 'string[]',
} satisfies Shape<MemoryNeeded>;

const machine = {
  machine_id: 'string',
  tier: TIERS,
  country: 'string?',
  gpu_name: 'string?',
  gpu_count: 'number',
  gpu_memory_gib: 'number',
  memory_source: SOURCES,
  gpus_used: 'number',
  needed_gib_per_gpu: 'number',
  free_gib_per_gpu: 'number',
  price_per_hour: 'number',
  budget_hours: 'number?',
  confidence: CONFIDENCES,
  why: 'string',
  limits: 'string[]',
  interruptible: 'boolean',
  max_booking_hours: 'number?',
  measured_speed: 'number?',
  measured_unit: 'string?',
} satisfies Shape<Machine>;

const alternative = {
  ...machine,
  alternative: 'string',
  bits: 'number',
  machines: 'number',
  gain: 'string',
} satisfies Shape<Alternative>;

const constraint = {
  position: 'number',
  constraint_name: 'string',
  value: 'string',
  machines_left: 'number',
  advice: 'string?',
} satisfies Shape<Constraint>;

export const launchAnswer = {
  gpu_memory_needed: needed,
  recommended: [machine],
  alternatives: [alternative],
  constraints: [constraint],
} satisfies Shape<LaunchAnswer>;

/** Where a value is not of a shape: one line for each place. */
export function faults(value: unknown, shape: unknown, place = 'answer'): string[] {
  if (typeof shape === 'string') return isKind(value, shape) ? [] : [`${place} is ${JSON.stringify(value)}, not ${shape}`];
  if (Array.isArray(shape)) {
    if (typeof shape[0] === 'object' && shape[0] !== null) {
      if (!Array.isArray(value)) return [`${place} is no array`];
      return value.flatMap((element, index) => faults(element, shape[0], `${place}[${index}]`));
    }
    return shape.includes(value) ? [] : [`${place} is ${JSON.stringify(value)}, none of ${JSON.stringify(shape)}`];
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${place} is no object`];
  const keys = shape as Record<string, unknown>;
  const has = value as Record<string, unknown>;
  return [
    ...Object.keys(has).filter((key) => !(key in keys)).map((key) => `${place}.${key} is no key`),
    ...Object.keys(keys).flatMap((key) => (key in has ? faults(has[key], keys[key], `${place}.${key}`) : [`${place}.${key} is missing`])),
  ];
}

function isKind(value: unknown, kind: string): boolean {
  if (kind.endsWith('?')) return value === null || isKind(value, kind.slice(0, -1));
  if (kind === 'string[]') return Array.isArray(value) && value.every((element) => typeof element === 'string');
  return typeof value === kind;
}
