import { type Infer, is, literal, record, string, type } from 'superstruct'
import { OrderPoses } from '../../../contract/order-poses.ts'
import { Draft, type PartDraft } from './draft.ts'

/** What is kept of texts and pictures that are being put right, by the line; with how they were, for when there is no network. */
const PosesDraft = type({ v: literal(1), poses: OrderPoses, drafts: record(string(), Draft) })
export type PosesDraft = Infer<typeof PosesDraft>

export const posesKey = (jobId: number, orderNumber: string): string => `poses:${jobId}:${orderNumber}`

export const draftOfPoses = (poses: PosesDraft['poses'], changed: ReadonlyMap<number, PartDraft>): PosesDraft => ({
  v: 1,
  poses,
  drafts: Object.fromEntries([...changed].map(([id, change]) => [id, { v: 1, parts: [change] }])),
})

/** What was kept; something else altogether (an older build's) counts for nothing. */
export const readPosesDraft = (kept: unknown): PosesDraft | null => (is(kept, PosesDraft) ? kept : null)
