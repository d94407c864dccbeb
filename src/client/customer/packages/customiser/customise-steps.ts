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
import { unprintableMessage } from '#domain/printing/printable-letters.ts'
import { printedText } from '#domain/printing/printed-text.ts'
import type { PackageSubject } from '../package-subject.ts'
import type { NodeRef } from './customise-reducer.ts'
import { type CustomisedPackage, findUnprintableTexts, previewLine } from './customised-package.ts'

/** One step of the guided flow: an item, with its nodes to fill in. */
export type CustomiseStep = { part: number; item: PackageItem; imageNodes: ImageNode[]; textNodes: TextNode[] }

const isAlwaysEditable = ({ productCode }: PackageItem): boolean =>
  alwaysEditableProductCodes.some((code) => code === productCode)

/** The items that need input (section 5), package by package. */
export const customiseSteps = (parts: readonly CustomisedPackage[], situation: EditingContext): CustomiseStep[] =>
  parts.flatMap((part, index) => stepsOfPart(part, situation).map((step) => ({ ...step, part: index })))

/** Whether a required text is empty: a line may lack data that an import would have filled in when it was created. */
const isLeftEmpty = ({ texts }: CustomisedPackage, { productCode }: PackageItem, { id, editable }: TextNode): boolean =>
  editable && !isDigital(productCode) && printedText(texts.find(({ nodeId }) => nodeId === id)?.shown ?? '') === ''

// A text that is empty, or not printable as filled in, is shown even if its item has no other input.
const stepsOfPart = (part: CustomisedPackage, situation: EditingContext): Omit<CustomiseStep, 'part'>[] => {
  const unprintable = new Set(findUnprintableTexts(part).map(({ node }) => node))
  const needsInput = (item: PackageItem, node: TextNode): boolean =>
    unprintable.has(node) ||
    isLeftEmpty(part, item, node) ||
    (node.editable && (isAlwaysEditable(item) || asksForText(node, situation)))
  const editable = editableItems(part.package, situation)
  return part.package.items
    .filter((item) => editable.includes(item) || item.textNodes.some((node) => needsInput(item, node)))
    .map((item) => ({
      item,
      imageNodes: situation.orderMethod === 'prepay' ? [] : item.imageNodes.filter(isEditableImageNode),
      textNodes: item.textNodes.filter((node) => needsInput(item, node)),
    }))
}

/** Steps merged into one: items that are identical and hold the same content. The first represents all. */
export type StepGroup = { first: CustomiseStep; twins: CustomiseStep[] }

const withoutIds = (item: PackageItem): string =>
  JSON.stringify(item, (key, value) => (key === 'id' ? undefined : value))

const heldBy = (step: CustomiseStep, parts: readonly CustomisedPackage[]): string => {
  const part = parts[step.part]
  const choices = step.item.imageNodes.map(({ id }) => {
    const choice = part?.images.find((one) => one.packageItemImageNodeId === id)
    return choice && { ...choice, packageItemImageNodeId: 0 }
  })
  const texts = step.item.textNodes.map(({ id }) => part?.texts.find((one) => one.nodeId === id)?.shown)
  return JSON.stringify([choices, texts, part?.passthrough.greenScreenBackgroundId])
}

/** Steps with the same signature are merged: their items, without ids. */
export const stepSignature = ({ item }: CustomiseStep): string => withoutIds(item)

/** Merges identical steps, so that the same image is not cropped four times; those in `apart` stay separate. */
export const groupSteps = (
  steps: readonly CustomiseStep[],
  { parts, apart }: { parts: readonly CustomisedPackage[]; apart: ReadonlySet<string> },
): StepGroup[] => {
  const groups = new Map<string, StepGroup>()
  for (const [index, step] of steps.entries()) {
    const likeness = stepSignature(step)
    const key = apart.has(likeness) ? `${index}` : `${likeness} ${heldBy(step, parts)}`
    const group = groups.get(key)
    if (group) group.twins.push(step)
    else groups.set(key, { first: step, twins: [] })
  }
  return [...groups.values()]
}

/** The same node on each merged item, including the first. */
export const matchingNodes = ({ first, twins }: StepGroup, kind: MissingField['kind'], nodeId: number): NodeRef[] => {
  const nodesOf = ({ item }: CustomiseStep) => (kind === 'image' ? item.imageNodes : item.textNodes)
  const index = nodesOf(first).findIndex((node) => node.id === nodeId)
  return [first, ...twins].flatMap((step) => {
    const node = nodesOf(step)[index]
    return node ? [{ part: step.part, nodeId: node.id }] : []
  })
}

/** The items of the packages that need no input. */
export const unchangedItems = (parts: readonly CustomisedPackage[], steps: readonly CustomiseStep[]): PackageItem[] =>
  parts.flatMap((part, index) =>
    part.package.items.filter((item) => !steps.some((step) => step.part === index && step.item.id === item.id)),
  )

/** A missing field with its label; and the error if it holds an invalid value. */
export type FieldProblem = MissingField & { part: number; itemName: string; fieldId: string; wrong?: string }

/** The DOM id of a field, for labels and for focusing it. */
export const fieldIdOf = (part: number, kind: MissingField['kind'], nodeId: number): string =>
  `${kind}-${part}-${nodeId}`

/**
 * Missing fields in the order of the screen (section 4, package completeness). A half-edited mask counts as missing,
 * and so does a text with unprintable characters.
 */
export const fieldProblems = (
  parts: readonly CustomisedPackage[],
  person: PackageSubject,
  orderMethod: OrderMethod,
): FieldProblem[] =>
  parts.flatMap((part, index) => {
    const names = new Map(part.package.items.map((item) => [item.id, itemLabel(item)]))
    const empty = findMissingFields(previewLine(part, person, []), orderMethod)
    const broken = part.texts.filter(isBrokenMask).flatMap((field) => brokenText(part, field.nodeId))
    return [...empty, ...broken, ...wrongTexts(part, broken)].map((one) => ({
      ...one,
      part: index,
      itemName: names.get(one.itemId) ?? '',
      fieldId: fieldIdOf(index, one.kind, one.nodeId),
    }))
  })

const wrongTexts = (part: CustomisedPackage, broken: readonly MissingField[]): (MissingField & { wrong: string })[] =>
  findUnprintableTexts(part)
    .filter(({ node }) => !broken.some((one) => one.nodeId === node.id))
    .map(({ itemId, node: { id, name }, lacking }) => ({
      itemId,
      nodeId: id,
      kind: 'text',
      name,
      wrong: unprintableMessage(lacking),
    }))

const brokenText = ({ package: of }: CustomisedPackage, nodeId: number): MissingField[] =>
  of.items.flatMap((item) =>
    item.textNodes
      .filter((node) => node.id === nodeId && node.editable)
      .map((node) => ({ itemId: item.id, nodeId, kind: 'text' as const, name: node.name })),
  )
