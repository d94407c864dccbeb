import { type Infer, is, literal, optional, record, string, type } from 'superstruct'
import { OrderPoses } from '#contract/customer/order-image-choice.ts'
import { Draft, type PartDraft } from '../customiser/customise-draft.ts'
import type { WordsChange } from './personalization-texts.tsx'

/** What is kept of texts and pictures that are being put right, by the line; with how they were, for when there is no network. */
const PosesDraft = type({
  v: literal(1),
  poses: OrderPoses,
  drafts: record(string(), Draft),
  words: optional(record(string(), type({ nameToPrint: optional(string()), yearToPrint: optional(string()) }))),
})
export type PosesDraft = Infer<typeof PosesDraft>

/** What somebody changed, by the line. */
export type Changes = { lines: ReadonlyMap<number, PartDraft>; words: ReadonlyMap<number, WordsChange> }

export const posesKey = (jobId: number, orderNumber: string): string => `poses:${jobId}:${orderNumber}`

export const draftOfPoses = (poses: PosesDraft['poses'], { lines, words }: Changes): PosesDraft => ({
  v: 1,
  poses,
  drafts: Object.fromEntries([...lines].map(([id, change]) => [id, { v: 1, parts: [change] }])),
  words: Object.fromEntries(words),
})

/** What was changed before on the lines that are there. */
export const changesIn = ({ lines, printedWords = [] }: PosesDraft['poses'], kept: PosesDraft | null): Changes => ({
  lines: new Map(
    lines.flatMap(({ id }) => {
      const [change] = kept?.drafts[id]?.parts ?? []
      return change ? [[id, change] as const] : []
    }),
  ),
  words: new Map(
    printedWords.flatMap(({ id }) => {
      const change = kept?.words?.[id]
      return change ? [[id, change] as const] : []
    }),
  ),
})

/** What was kept; something else altogether (an older build's) counts for nothing. */
export const readPosesDraft = (kept: unknown): PosesDraft | null => (is(kept, PosesDraft) ? kept : null)
