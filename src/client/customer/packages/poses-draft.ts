import { type Infer, is, literal, record, string, type } from 'superstruct'
import { OrderPoses } from '../../../contract/order-poses.ts'
import { Draft, draftOf } from './draft.ts'
import type { Part } from './part.ts'

/** What is kept of pictures that are being chosen, by the line; with what there was to choose from, for when there is no network. */
const PosesDraft = type({ v: literal(1), poses: OrderPoses, drafts: record(string(), Draft) })
export type PosesDraft = Infer<typeof PosesDraft>

export const posesKey = (jobId: number, orderNumber: string): string => `poses:${jobId}:${orderNumber}`

export const draftOfPoses = (poses: PosesDraft['poses'], changed: ReadonlyMap<number, Part>): PosesDraft => ({
  v: 1,
  poses,
  drafts: Object.fromEntries([...changed].map(([id, part]) => [id, draftOf([part])])),
})

/** What was kept; something else altogether (an older build's) counts for nothing. */
export const readPosesDraft = (kept: unknown): PosesDraft | null => (is(kept, PosesDraft) ? kept : null)
