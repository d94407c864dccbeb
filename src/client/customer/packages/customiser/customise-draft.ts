import { array, type Infer, integer, is, literal, nullable, optional, string, type } from 'superstruct'
import { ImageChoice } from '#contract/shapes/cart-structs.ts'
import type { Image } from '#contract/shapes/image-structs.ts'
import { chosenImageId } from '../images/node-images.ts'
import { textNodeOf } from './customise-reducer.ts'
import type { CustomisedPackage } from './customised-package.ts'

/** The draft of unfinished packages: only the customer's input, never values behind a mask. */
export const CustomiseDraft = type({
  v: literal(1),
  /** The pose they started with: its images are not used for another pose. */
  pose: optional(nullable(integer())),
  parts: array(
    type({
      packageId: integer(),
      version: integer(),
      texts: array(type({ nodeId: integer(), shown: string() })),
      images: array(ImageChoice),
      greenScreenId: optional(nullable(integer())),
    }),
  ),
})
export type CustomiseDraft = Infer<typeof CustomiseDraft>
/** The draft of one package. */
export type PackageDraft = CustomiseDraft['parts'][number]

/** `before`: the draft at the start. Packages that are not open now keep their earlier draft. */
export const toCustomiseDraft = (
  parts: readonly CustomisedPackage[],
  pose?: number | null,
  before?: unknown,
): CustomiseDraft => {
  const others = is(before, CustomiseDraft) ? before.parts : []
  return {
    v: 1,
    ...(pose !== undefined && { pose }),
    parts: [
      ...others.filter(({ packageId }) => !parts.some((part) => part.package.id === packageId)),
      ...parts.map(({ package: { id, version }, texts, images, passthrough }) => ({
        packageId: id,
        version,
        texts: texts.map(({ nodeId, shown }) => ({ nodeId, shown })),
        images,
        greenScreenId: passthrough.greenScreenBackgroundId,
      })),
    ],
  }
}

type DraftContext = {
  images: readonly Pick<Image, 'id'>[]
  /** The pose currently chosen for them. */
  pose?: number | null
}

/**
 * Applies a draft to packages. Skips another package version, images that no longer exist, images of a subject whose
 * pose changed since, and texts that only the studio can change. An unreadable draft (from an older build) changes
 * nothing.
 */
export const applyDraft = (
  parts: readonly CustomisedPackage[],
  draft: unknown,
  { images, pose }: DraftContext,
): CustomisedPackage[] => {
  if (!is(draft, CustomiseDraft)) return [...parts]
  const isSamePose = draft.pose === undefined || draft.pose === pose
  return parts.map((part) => {
    const own = draft.parts.find((one) => one.packageId === part.package.id && one.version === part.package.version)
    if (!own) return part
    const text = own.texts.filter(({ nodeId }) => textNodeOf(part, nodeId)?.editable)
    const shown = new Map(text.map((field) => [field.nodeId, field.shown]))
    const nodes = new Set(part.package.items.flatMap((item) => item.imageNodes.map((node) => node.id)))
    const chosen = own.images.filter(
      (one) =>
        nodes.has(one.packageItemImageNodeId) &&
        images.some((image) => image.id === chosenImageId(one)) &&
        (isSamePose || one.subjectImageId === null),
    )
    const used = new Set(chosen.map((one) => one.packageItemImageNodeId))
    return {
      ...part,
      texts: part.texts.map((field) => ({ ...field, shown: shown.get(field.nodeId) ?? field.shown })),
      images: [...part.images.filter((one) => !used.has(one.packageItemImageNodeId)), ...chosen],
      passthrough:
        own.greenScreenId === undefined
          ? part.passthrough
          : { ...part.passthrough, greenScreenBackgroundId: own.greenScreenId },
    }
  })
}
