import { array, type Infer, integer, is, literal, nullable, optional, string, type } from 'superstruct'
import { ImageChoice } from '#contract/shapes/cart-structs.ts'
import type { Image } from '#contract/shapes/image-structs.ts'
import { chosenImageId } from '../images/node-images.ts'
import { textNodeOf } from './customise-reducer.ts'
import type { CustomisedPackage } from './customised-package.ts'

/** The draft of unfinished packages: only the customer's input, never values behind a mask. */
export const CustomiseDraft = type({
  v: literal(1),
  /** The pose at the start. If another pose is chosen later, the images of the draft are not used. */
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
  /** The pose that is chosen now. */
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
    const packageDraft = draft.parts.find(
      (candidate) => candidate.packageId === part.package.id && candidate.version === part.package.version,
    )
    if (!packageDraft) return part
    const editableTexts = packageDraft.texts.filter(({ nodeId }) => textNodeOf(part, nodeId)?.editable)
    const shownByNodeId = new Map(editableTexts.map((field) => [field.nodeId, field.shown]))
    const nodeIds = new Set(part.package.items.flatMap((item) => item.imageNodes.map((node) => node.id)))
    const choices = packageDraft.images.filter(
      (choice) =>
        nodeIds.has(choice.packageItemImageNodeId) &&
        images.some((image) => image.id === chosenImageId(choice)) &&
        (isSamePose || choice.subjectImageId === null),
    )
    const chosenNodeIds = new Set(choices.map((choice) => choice.packageItemImageNodeId))
    return {
      ...part,
      texts: part.texts.map((field) => ({ ...field, shown: shownByNodeId.get(field.nodeId) ?? field.shown })),
      images: [...part.images.filter((choice) => !chosenNodeIds.has(choice.packageItemImageNodeId)), ...choices],
      passthrough:
        packageDraft.greenScreenId === undefined
          ? part.passthrough
          : { ...part.passthrough, greenScreenBackgroundId: packageDraft.greenScreenId },
    }
  })
}
