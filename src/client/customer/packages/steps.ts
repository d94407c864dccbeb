import {
  alwaysEditableProductCodes,
  type ImageNode,
  type OrderMethod,
  type PackageItem,
  type TextNode,
} from '../../../domain/catalogue.ts'
import { type Missing, whatIsMissing } from '../../../domain/completeness.ts'
import { asksForText, type EditingSituation, editableItems, isEditableImageNode } from '../../../domain/nodes.ts'
import { isBrokenMask, type Part, type Person, previewOf } from './part.ts'

/** One stop of the guided pass: an item, with what the customer does on it. */
export type Step = { part: number; item: PackageItem; imageNodes: ImageNode[]; textNodes: TextNode[] }

const isAlwaysEditable = ({ productCode }: PackageItem): boolean =>
  alwaysEditableProductCodes.some((code) => code === productCode)

/** The items that need something of the customer (section 5), package after package. */
export const stepsOf = (parts: readonly Part[], situation: EditingSituation): Step[] =>
  parts.flatMap((part, index) =>
    editableItems(part.package, situation).map((item) => ({
      part: index,
      item,
      imageNodes: situation.orderMethod === 'prepay' ? [] : item.imageNodes.filter(isEditableImageNode),
      textNodes: item.textNodes.filter(
        (node) => node.editable && (isAlwaysEditable(item) || asksForText(node, situation)),
      ),
    })),
  )

/** The items of the packages that come as they are. */
export const untouchedItems = (parts: readonly Part[], steps: readonly Step[]): PackageItem[] =>
  parts.flatMap((part, index) =>
    part.package.items.filter((item) => !steps.some((step) => step.part === index && step.item.id === item.id)),
  )

/** Something still to be given, and what it is called. */
export type Gap = Missing & { part: number; itemName: string; fieldId: string }

/** The id of a field in the page, for labels and for jumping there. */
export const fieldIdOf = (part: number, kind: Missing['kind'], nodeId: number): string => `${kind}-${part}-${nodeId}`

/** What is still missing, in the order of the screen (section 4, package completeness); a half-changed mask counts as missing. */
export const gapsOf = (parts: readonly Part[], person: Person, orderMethod: OrderMethod): Gap[] =>
  parts.flatMap((part, index) => {
    const empty = whatIsMissing(previewOf(part, person, []), orderMethod)
    const broken = part.texts.filter(isBrokenMask).flatMap((field) => brokenText(part, field.nodeId))
    return [...empty, ...broken].map((one) => ({
      ...one,
      part: index,
      itemName: part.package.items.find((item) => item.id === one.itemId)?.name ?? '',
      fieldId: fieldIdOf(index, one.kind, one.nodeId),
    }))
  })

const brokenText = ({ package: of }: Part, nodeId: number): Missing[] =>
  of.items.flatMap((item) =>
    item.textNodes
      .filter((node) => node.id === nodeId && node.editable)
      .map((node) => ({ itemId: item.id, nodeId, kind: 'text' as const, name: node.name })),
  )
