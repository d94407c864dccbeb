import type { Address } from '#contract/customer/checkout-calls.ts'
import type { EntryDraft, EntryForm, EntryPackage, EntryService, EntrySubject } from '#contract/studio/order-entry.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { type NodeCrop, type PaperPayment, requiredImageKinds, textsToEnter } from '#domain/orders/paper-order.ts'
import { type Cents, toCents } from '#domain/pricing/money.ts'

export type EntryFormLine = {
  id: string
  subject: EntrySubject
  packageId: number
  quantity: number
  /** The image for all nodes except the group's. */
  imageId: number | null
  /** The image for the group's nodes. */
  groupImageId?: number | null
  /** Texts by node id. */
  texts: Record<string, string>
  /** Crops of the images; centred by default. */
  crops?: readonly NodeCrop[]
}

/** Values of an order form; `entryKey` becomes the key of the order. */
export type EntryFormValues = {
  entryKey: string
  orderMethod: OrderMethod
  lines: EntryFormLine[]
  services: EntryService[]
  customer: EntryDraft['customer']
  address: Address
  /** Null: shipped to the studio. */
  shippingOption: string | null
  promoCode: string
  payment: { method: PaperPayment; received: string; checkNumber: string }
}

const emptyAddress: Address = { firstName: '', lastName: '', address1: '', address2: '', city: '', state: '', zip: '' }

/** An empty form with the job's defaults. */
export const emptyEntryForm = (
  { delivery, hasPictures, shippingOptions }: EntryForm,
  entryKey: string,
): EntryFormValues => ({
  entryKey,
  orderMethod: hasPictures ? 'gallery' : 'prepay',
  lines: [],
  services: [],
  customer: { firstName: '', lastName: '', email: '', phone: '' },
  address: emptyAddress,
  shippingOption: delivery.batch ? null : (shippingOptions[0]?.code ?? null),
  promoCode: '',
  payment: { method: 'cash', received: '', checkNumber: '' },
})

/** The packages available for an order method. */
export const packagesForMethod = ({ packages }: EntryForm, orderMethod: OrderMethod): EntryPackage[] =>
  packages.filter((one) => one[orderMethod])

/** The subject's images for a package, if there is exactly one candidate of a kind. */
export const defaultImages = (
  { pictures }: EntrySubject,
  { package: packageDefinition }: EntryPackage,
): { imageId: number | null; groupImageId: number | null } => {
  const onlyImage = (isGroup: boolean, isWanted: boolean): number | null => {
    const candidates = pictures.filter((one) => one.isGroup === isGroup)
    return isWanted && candidates.length === 1 ? (candidates[0]?.imageId ?? null) : null
  }
  const { own, groups } = requiredImageKinds(packageDefinition)
  return { imageId: onlyImage(false, own), groupImageId: onlyImage(true, groups) }
}

/** Whether a required image of a line has not been chosen. */
export const isMissingImage = (
  { imageId, groupImageId = null }: EntryFormLine,
  { package: packageDefinition }: EntryPackage,
): boolean => {
  const { own, groups } = requiredImageKinds(packageDefinition)
  return (own && imageId === null) || (groups && groupImageId === null)
}

/** Texts of a line that autofill cannot provide. */
export const requiredTexts = ({ subject }: EntryFormLine, { package: packageDefinition }: EntryPackage) =>
  textsToEnter(packageDefinition, subject)

const isEmpty = (address: Address): boolean => Object.values(address).every((part) => part.trim() === '')

/** The request body of a form. */
export const entryDraftOf = ({
  orderMethod,
  lines,
  services,
  customer,
  address,
  shippingOption,
  promoCode,
}: EntryFormValues): EntryDraft => ({
  orderMethod,
  lines: lines.map(({ subject, packageId, quantity, imageId, groupImageId = null, texts, crops = [] }) => ({
    subjectId: subject.subjectId,
    packageId,
    quantity,
    ...(orderMethod === 'prepay' ? { imageId: null } : { imageId, groupImageId, crops: [...crops] }),
    texts: Object.entries(texts)
      .filter(([, value]) => value.trim() !== '')
      .map(([nodeId, value]) => ({ nodeId: Number(nodeId), value: value.trim() })),
  })),
  services: services.filter(({ subjectId }) => lines.some(({ subject }) => subject.subjectId === subjectId)),
  customer,
  address: isEmpty(address) ? null : { ...address, firstName: customer.firstName, lastName: customer.lastName },
  shippingOption,
  promoCode,
})

/** Parses an amount (`50`, `$50.00`) into cents; null if it is invalid. */
export const parseCents = (typed: string): Cents | null => {
  const plain = typed.replace(/[\s,$]/g, '')
  return /^\d{1,7}(?:\.\d{0,2})?$/.test(plain) ? toCents(Number(plain)) : null
}
