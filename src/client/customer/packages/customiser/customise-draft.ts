import { array, type Infer, integer, is, literal, nullable, optional, string, type } from 'superstruct'
import type { Image } from '#contract/customer/discovery-calls.ts'
import { ImageChoice } from '#contract/shapes/cart-structs.ts'
import { chosenImageId } from '../images/node-images.ts'
import { textNodeOf } from './customise-reducer.ts'
import type { CustomisedPackage } from './customised-package.ts'

/** What is kept of unfinished packages: what the customer gave, never what stands behind a mask. */
export const CustomiseDraft = type({
  v: literal(1),
  /** The pose they began with: its pictures are of no use for another one. */
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
/** What is kept of one package. */
export type PackageDraft = CustomiseDraft['parts'][number]

/** `before`: what was kept when they were opened; packages that are not among these now are kept as they were. */
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
      ...parts.map(({ package: { id, version }, texts, images, kept }) => ({
        packageId: id,
        version,
        texts: texts.map(({ nodeId, shown }) => ({ nodeId, shown })),
        images,
        greenScreenId: kept.greenScreenBackgroundId,
      })),
    ],
  }
}

type Around = {
  images: readonly Pick<Image, 'id'>[]
  /** The pose chosen for them now. */
  pose?: number | null
}

/**
 * Parts with what was kept of them laid over. What belongs to another version of a package, or to a picture that is no longer
 * there, is left, and so are the pictures of a person for whom another pose was chosen since, and texts that only the studio can
 * change; something else altogether (an older build's) changes nothing.
 */
export const applyDraft = (
  parts: readonly CustomisedPackage[],
  kept: unknown,
  { images, pose }: Around,
): CustomisedPackage[] => {
  if (!is(kept, CustomiseDraft)) return [...parts]
  const isSamePose = kept.pose === undefined || kept.pose === pose
  return parts.map((part) => {
    const own = kept.parts.find((one) => one.packageId === part.package.id && one.version === part.package.version)
    if (!own) return part
    const typed = own.texts.filter(({ nodeId }) => textNodeOf(part, nodeId)?.editable)
    const shown = new Map(typed.map((field) => [field.nodeId, field.shown]))
    const nodes = new Set(part.package.items.flatMap((item) => item.imageNodes.map((node) => node.id)))
    const chosen = own.images.filter(
      (one) =>
        nodes.has(one.packageItemImageNodeId) &&
        images.some((image) => image.id === chosenImageId(one)) &&
        (isSamePose || one.subjectImageId === null),
    )
    const taken = new Set(chosen.map((one) => one.packageItemImageNodeId))
    return {
      ...part,
      texts: part.texts.map((field) => ({ ...field, shown: shown.get(field.nodeId) ?? field.shown })),
      images: [...part.images.filter((one) => !taken.has(one.packageItemImageNodeId)), ...chosen],
      kept: own.greenScreenId === undefined ? part.kept : { ...part.kept, greenScreenBackgroundId: own.greenScreenId },
    }
  })
}
