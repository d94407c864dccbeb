import { itemLabel } from '#client/customer/shared/catalogue/item-labels.ts'
import { findMissingFields, type MissingField } from '#domain/cart/completeness.ts'
import {
  alwaysEditableProductCodes,
  type ImageNode,
  isDigital,
  type OrderMethod,
  type PackageItem,
  type TextNode,
} from '#domain/catalogue/catalogue.ts'
import { isBrokenMask } from '#domain/catalogue/mask.ts'
import { asksForText, type EditingContext, editableItems, isEditableImageNode } from '#domain/catalogue/nodes.ts'
import { printedText, unprintableMessage } from '#domain/printing/printable-letters.ts'
import type { PackageSubject } from '../package-context.ts'
import type { NodeRef } from './customise-reducer.ts'
import { type CustomisedPackage, findUnprintableTexts, previewLine } from './customised-package.ts'

/** One step of the guided flow: an item, with its nodes to fill in. */
export type CustomiseStep = { part: number; item: PackageItem; imageNodes: ImageNode[]; textNodes: TextNode[] }

const isAlwaysEditable = ({ productCode }: PackageItem): boolean =>
  alwaysEditableProductCodes.some((code) => code === productCode)

/** The items that need input (section 5), package by package. */
export const customiseSteps = (parts: readonly CustomisedPackage[], context: EditingContext): CustomiseStep[] =>
  parts.flatMap((part, index) => stepsOfPart(part, context).map((step) => ({ ...step, part: index })))

/** Whether a required text is empty: imported data may have been missing when the line was created. */
const isRequiredTextEmpty = (
  { texts }: CustomisedPackage,
  { productCode }: PackageItem,
  { id, editable }: TextNode,
): boolean =>
  editable && !isDigital(productCode) && printedText(texts.find(({ nodeId }) => nodeId === id)?.shown ?? '') === ''

// A text that is empty, or not printable as filled in, is shown even if its item has no other input.
const stepsOfPart = (part: CustomisedPackage, context: EditingContext): Omit<CustomiseStep, 'part'>[] => {
  const unprintable = new Set(findUnprintableTexts(part).map(({ node }) => node))
  const needsInput = (item: PackageItem, node: TextNode): boolean =>
    unprintable.has(node) ||
    isRequiredTextEmpty(part, item, node) ||
    (node.editable && (isAlwaysEditable(item) || asksForText(node, context)))
  const editable = editableItems(part.package, context)
  return part.package.items
    .filter((item) => editable.includes(item) || item.textNodes.some((node) => needsInput(item, node)))
    .map((item) => ({
      item,
      imageNodes: context.orderMethod === 'prepay' ? [] : item.imageNodes.filter(isEditableImageNode),
      textNodes: item.textNodes.filter((node) => needsInput(item, node)),
    }))
}

/** Steps that are shown as one: their items and contents are identical. The first represents all. */
export type StepGroup = { first: CustomiseStep; duplicates: CustomiseStep[] }

const withoutIds = (item: PackageItem): string =>
  JSON.stringify(item, (key, value) => (key === 'id' ? undefined : value))

const contentSignature = (step: CustomiseStep, parts: readonly CustomisedPackage[]): string => {
  const part = parts[step.part]
  const choices = step.item.imageNodes.map(({ id }) => {
    const choice = part?.images.find((candidate) => candidate.packageItemImageNodeId === id)
    return choice && { ...choice, packageItemImageNodeId: 0 }
  })
  const texts = step.item.textNodes.map(({ id }) => part?.texts.find((text) => text.nodeId === id)?.shown)
  return JSON.stringify([choices, texts, part?.passthrough.greenScreenBackgroundId])
}

/** The item without its ids. Steps with the same signature and content are merged. */
export const stepSignature = ({ item }: CustomiseStep): string => withoutIds(item)

/**
 * Merges identical steps, so that the customer does not crop the same image four times. Steps with a signature in
 * `separateSignatures` stay separate.
 */
export const groupSteps = (
  steps: readonly CustomiseStep[],
  { parts, separateSignatures }: { parts: readonly CustomisedPackage[]; separateSignatures: ReadonlySet<string> },
): StepGroup[] => {
  const groups = new Map<string, StepGroup>()
  for (const [index, step] of steps.entries()) {
    const signature = stepSignature(step)
    const scope = parts[step.part]?.isAddedLater ? step.part : ''
    const key = separateSignatures.has(signature)
      ? `${index}`
      : `${scope} ${signature} ${contentSignature(step, parts)}`
    const group = groups.get(key)
    if (group) group.duplicates.push(step)
    else groups.set(key, { first: step, duplicates: [] })
  }
  return [...groups.values()]
}

/** The same node on each merged item, including the first. */
export const matchingNodes = (
  { first, duplicates }: StepGroup,
  kind: MissingField['kind'],
  nodeId: number,
): NodeRef[] => {
  const nodesOf = ({ item }: CustomiseStep) => (kind === 'image' ? item.imageNodes : item.textNodes)
  const index = nodesOf(first).findIndex((node) => node.id === nodeId)
  return [first, ...duplicates].flatMap((step) => {
    const node = nodesOf(step)[index]
    return node ? [{ part: step.part, nodeId: node.id }] : []
  })
}

/** The items of the packages that need no input. */
export const unchangedItems = (parts: readonly CustomisedPackage[], steps: readonly CustomiseStep[]): PackageItem[] =>
  parts.flatMap((part, index) =>
    part.package.items.filter((item) => !steps.some((step) => step.part === index && step.item.id === item.id)),
  )

/** A missing or invalid field with its label. `invalidMessage`: the error of an invalid value. */
export type FieldProblem = MissingField & { part: number; itemName: string; fieldId: string; invalidMessage?: string }

/** The DOM id of a field, for labels and for focusing it. */
export const fieldIdOf = (part: number, kind: MissingField['kind'], nodeId: number): string =>
  `${kind}-${part}-${nodeId}`

/**
 * Missing fields in the order of the screen (section 4, package completeness). A half-edited mask counts as missing,
 * and so does a text with unprintable characters.
 */
export const fieldProblems = (
  parts: readonly CustomisedPackage[],
  subject: PackageSubject,
  orderMethod: OrderMethod,
): FieldProblem[] =>
  parts.flatMap((part, index) => {
    const itemNames = new Map(part.package.items.map((item) => [item.id, itemLabel(item)]))
    const missingFields = findMissingFields(previewLine(part, subject, []), orderMethod)
    const brokenFields = part.texts.filter(isBrokenMask).flatMap((field) => brokenMaskField(part, field.nodeId))
    return [...missingFields, ...brokenFields, ...unprintableFields(part, brokenFields)].map((field) => ({
      ...field,
      part: index,
      itemName: itemNames.get(field.itemId) ?? '',
      fieldId: fieldIdOf(index, field.kind, field.nodeId),
    }))
  })

const unprintableFields = (
  part: CustomisedPackage,
  brokenFields: readonly MissingField[],
): (MissingField & { invalidMessage: string })[] =>
  findUnprintableTexts(part)
    .filter(({ node }) => !brokenFields.some((field) => field.nodeId === node.id))
    .map(({ itemId, node: { id, name }, lacking }) => ({
      itemId,
      nodeId: id,
      kind: 'text',
      name,
      invalidMessage: unprintableMessage(lacking),
    }))

const brokenMaskField = ({ package: customised }: CustomisedPackage, nodeId: number): MissingField[] =>
  customised.items.flatMap((item) =>
    item.textNodes
      .filter((node) => node.id === nodeId && node.editable)
      .map((node) => ({ itemId: item.id, nodeId, kind: 'text' as const, name: node.name })),
  )
