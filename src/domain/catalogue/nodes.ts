import { type AutofillSubject, autofillText } from './autofill.ts'
import {
  alwaysEditableProductCodes,
  type ImageNode,
  neverCroppedProductCodes,
  type OrderMethod,
  type Package,
  type PackageItem,
  type TextNode,
} from './catalogue.ts'

const isOneOf = (codes: readonly string[], code: string): boolean => codes.includes(code)

/**
 * Whether a customer chooses the image: the name contains "image" or "group" and ends in a number from 0 to 98 (section
 * 5).
 */
export const isEditableImageNode = (node: Pick<ImageNode, 'name' | 'static'>): boolean => {
  if (node.static || !/image|group/i.test(node.name)) return false
  const number = /\d+$/.exec(node.name)
  return number !== null && Number(number[0]) < 99
}

/**
 * Whether a node takes an image of the subject's group: its name contains "group". All others take images of the
 * subject alone.
 */
export const isGroupNode = ({ name }: Pick<ImageNode, 'name'>): boolean => /group/i.test(name)

export type EditingContext = {
  orderMethod: OrderMethod
  /** Whether the job's subjects were imported (for prepay, from its prepay settings). */
  importedData: boolean
  subject: AutofillSubject
}

/**
 * Whether the customer is asked for the text: an editable node that imported data does not fill in already (section 5).
 */
export const asksForText = (node: TextNode, { importedData, subject }: EditingContext): boolean =>
  node.editable && !(importedData && autofillText(node, subject).autoFilled)

/**
 * The items a customer can work on (section 5): with images to choose (not for prepay), with texts that imported data
 * does not fill in, or with a product code that may always be edited.
 */
export const editableItems = ({ items }: Pick<Package, 'items'>, context: EditingContext): PackageItem[] =>
  items.filter(
    (item) =>
      isOneOf(alwaysEditableProductCodes, item.productCode) ||
      (context.orderMethod !== 'prepay' && item.imageNodes.some(isEditableImageNode)) ||
      item.textNodes.some((node) => asksForText(node, context)),
  )

/**
 * Whether a customer may crop here: the node allows it, and neither its own product nor its item's is one that is never
 * cropped (section 5).
 */
export const mayCrop = (
  item: Pick<PackageItem, 'productCode'>,
  node: Pick<ImageNode, 'allowConsumerCrop' | 'productCode'>,
): boolean =>
  node.allowConsumerCrop &&
  !isOneOf(neverCroppedProductCodes, item.productCode) &&
  !isOneOf(neverCroppedProductCodes, node.productCode)
