import type { Infer } from 'superstruct'
import type { OrderImageChoice as Poses, patchOrderImageChoice } from '#contract/customer/order-image-choice.ts'
import { isDigital, type OrganizationType } from '#domain/catalogue/catalogue.ts'
import { isEditableImageNode } from '#domain/catalogue/nodes.ts'
import { applyDraft, type PackageDraft } from '../customiser/customise-draft.ts'
import { textNodeOf } from '../customiser/customise-reducer.ts'
import { type CustomiseStep, type FieldProblem, fieldIdOf, fieldProblems } from '../customiser/customise-steps.ts'
import {
  type CustomisedPackage,
  customisedPackageFromLine,
  newCustomisedPackage,
  unmaskedText,
} from '../customiser/customised-package.ts'
import type { PackageSubject } from '../package-context.ts'

export type OrderImageChoice = Infer<typeof Poses>
export type ImageChoiceUpdate = Infer<(typeof patchOrderImageChoice)['body']>
export type OrderImageLine = OrderImageChoice['lines'][number]

/** Whether images are chosen for the first time, rather than corrected. */
export const isFirstChoice = ({ lines }: OrderImageChoice): boolean =>
  lines.some(({ needsImages, images }) => needsImages && images.length > 0)

/** The subject of a line, as far as the line contains it. */
export const subjectOfLine = ({ line }: OrderImageLine): PackageSubject => ({
  subjectId: line.subjectId,
  personId: line.personId,
  ...line.snapshot.subject,
  fields: [],
  dataFields: null,
})

/** A paid package to edit: its chosen images, and in empty nodes the first image that fits. */
export const toCustomisedPackage = (
  orderLine: OrderImageLine,
  organizationType: OrganizationType,
): CustomisedPackage => {
  const part = customisedPackageFromLine(orderLine.line)
  const context = { subject: subjectOfLine(orderLine), images: orderLine.images, imageId: null, organizationType }
  const { images } = newCustomisedPackage(part.package, { ...context, orderMethod: 'gallery' })
  const filledNodeIds = new Set(part.images.map((choice) => choice.packageItemImageNodeId))
  return {
    ...part,
    images: [...part.images, ...images.filter((choice) => !filledNodeIds.has(choice.packageItemImageNodeId))],
  }
}

/** The items whose images (if there is a choice) or texts the customer can correct. */
export const imageChoiceSteps = ({ line, images }: OrderImageLine): CustomiseStep[] =>
  line.snapshot.package.items.flatMap((item) => {
    const imageNodes = images.length > 0 ? item.imageNodes.filter(isEditableImageNode) : []
    const textNodes = isDigital(item.productCode) ? [] : item.textNodes.filter((node) => node.editable)
    return imageNodes.length + textNodes.length === 0 ? [] : [{ part: 0, item, imageNodes, textNodes }]
  })

/** The missing or unprintable fields of a line; `position` is the line's position in the order. */
export const missingImageFields = (
  orderLine: OrderImageLine,
  part: CustomisedPackage,
  position: number,
): FieldProblem[] => {
  const steps = imageChoiceSteps(orderLine)
  const editable = {
    image: new Set(steps.flatMap((step) => step.imageNodes.map(({ id }) => id))),
    text: new Set(steps.flatMap((step) => step.textNodes.map(({ id }) => id))),
  }
  return fieldProblems([part], subjectOfLine(orderLine), 'gallery')
    .filter(({ kind, nodeId }) => editable[kind].has(nodeId))
    .map((problem) => ({ ...problem, fieldId: fieldIdOf(position, problem.kind, problem.nodeId) }))
}

const isEqual = (first: unknown, second: unknown): boolean => JSON.stringify(first) === JSON.stringify(second)

/**
 * Only the customer's changes to a package, so that applying them to the current line keeps what another device
 * corrected in between. Null if nothing changed.
 */
export const packageDiff = (initial: CustomisedPackage, part: CustomisedPackage): PackageDraft | null => {
  const shownByNodeId = new Map(initial.texts.map((field) => [field.nodeId, field.shown]))
  const choices = new Map(initial.images.map((choice) => [choice.packageItemImageNodeId, choice]))
  const texts = part.texts.filter((field) => field.shown !== shownByNodeId.get(field.nodeId))
  const images = part.images.filter((choice) => !isEqual(choice, choices.get(choice.packageItemImageNodeId)))
  const { greenScreenBackgroundId } = part.passthrough
  const isBackgroundChanged = greenScreenBackgroundId !== initial.passthrough.greenScreenBackgroundId
  if (texts.length + images.length === 0 && !isBackgroundChanged) return null
  return {
    packageId: part.package.id,
    version: part.package.version,
    texts: texts.map(({ nodeId, shown: text }) => ({ nodeId, shown: text })),
    images,
    ...(isBackgroundChanged && { greenScreenId: greenScreenBackgroundId }),
  }
}

/** Applies changes to a package. */
export const applyPackageDiff = (
  initial: CustomisedPackage,
  change: PackageDraft | undefined,
  { images }: OrderImageLine,
): CustomisedPackage =>
  change ? (applyDraft([initial], { v: 1, parts: [change] }, { images })[0] ?? initial) : initial

/** The update sent to the server for a line; null if it equals the server's state. */
export const toImageChoiceUpdate = (orderLine: OrderImageLine, part: CustomisedPackage): ImageChoiceUpdate | null => {
  const current = customisedPackageFromLine(orderLine.line)
  const texts = part.texts.filter(
    (field) => textNodeOf(part, field.nodeId)?.editable && unmaskedText(field) !== field.original,
  )
  const textNodes = texts.map((field) => ({
    packageItemTextNodeId: field.nodeId,
    value: unmaskedText(field),
    autoFilled: false,
  }))
  const { greenScreenBackgroundId } = part.passthrough
  const hasImageChanges =
    orderLine.images.length > 0 &&
    !(isEqual(part.images, current.images) && greenScreenBackgroundId === current.passthrough.greenScreenBackgroundId)
  if (textNodes.length === 0 && !hasImageChanges) return null
  return {
    ...(orderLine.version !== undefined && { version: orderLine.version }),
    ...(textNodes.length > 0 && { textNodes }),
    ...(hasImageChanges && { imageNodes: part.images, greenScreenBackgroundId }),
  }
}
