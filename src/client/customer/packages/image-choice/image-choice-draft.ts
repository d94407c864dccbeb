import { type Infer, is, literal, optional, record, string, type } from 'superstruct'
import { OrderImageChoice } from '#contract/customer/order-image-choice.ts'
import { CustomiseDraft, type PackageDraft } from '../customiser/customise-draft.ts'
import type { PersonalizationChange } from './personalization-texts.tsx'

/** The draft of the customer's changes per line, with the order's image choice as loaded (`poses`), for offline use. */
const ImageChoiceDraft = type({
  v: literal(1),
  poses: OrderImageChoice,
  drafts: record(string(), CustomiseDraft),
  words: optional(record(string(), type({ nameToPrint: optional(string()), yearToPrint: optional(string()) }))),
})
export type ImageChoiceDraft = Infer<typeof ImageChoiceDraft>

/** The customer's changes, by line. */
export type ImageChoiceChanges = {
  lines: ReadonlyMap<number, PackageDraft>
  words: ReadonlyMap<number, PersonalizationChange>
}

export const imageChoiceDraftKey = (jobId: number, orderNumber: string): string => `poses:${jobId}:${orderNumber}`

export const toImageChoiceDraft = (
  imageChoice: ImageChoiceDraft['poses'],
  { lines, words }: ImageChoiceChanges,
): ImageChoiceDraft => ({
  v: 1,
  poses: imageChoice,
  drafts: Object.fromEntries([...lines].map(([id, change]) => [id, { v: 1, parts: [change] }])),
  words: Object.fromEntries(words),
})

/** Earlier changes to lines that still exist. */
export const changesFromDraft = (
  { lines, printedWords = [] }: ImageChoiceDraft['poses'],
  draft: ImageChoiceDraft | null,
): ImageChoiceChanges => ({
  lines: new Map(
    lines.flatMap(({ id }) => {
      const [change] = draft?.drafts[id]?.parts ?? []
      return change ? [[id, change] as const] : []
    }),
  ),
  words: new Map(
    printedWords.flatMap(({ id }) => {
      const change = draft?.words?.[id]
      return change ? [[id, change] as const] : []
    }),
  ),
})

/** Reads a draft; an unreadable one (from an older build) is ignored. */
export const readImageChoiceDraft = (draft: unknown): ImageChoiceDraft | null =>
  is(draft, ImageChoiceDraft) ? draft : null
