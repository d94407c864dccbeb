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
  /** The picture for all of it but a group's places. */
  imageId: number | null
  /** The picture for a group's places. */
  groupImageId?: number | null
  /** What was typed, by the ids of its nodes. */
  texts: Record<string, string>
  /** How its pictures are cut; in the middle wherever nobody said. */
  crops?: readonly NodeCrop[]
}

/** A form as it is keyed in; `entryKey` is the order's it becomes. */
export type EntryFormValues = {
  entryKey: string
  orderMethod: OrderMethod
  lines: EntryFormLine[]
  services: EntryService[]
  customer: EntryDraft['customer']
  address: Address
  /** Null: to the studio. */
  shippingOption: string | null
  promoCode: string
  payment: { method: PaperPayment; received: string; checkNumber: string }
}

const nowhere: Address = { firstName: '', lastName: '', address1: '', address2: '', city: '', state: '', zip: '' }

/** An empty form of a job: what most of its forms will say is chosen already. */
export const emptyEntryForm = (
  { delivery, hasPictures, shippingOptions }: EntryForm,
  entryKey: string,
): EntryFormValues => ({
  entryKey,
  orderMethod: hasPictures ? 'gallery' : 'prepay',
  lines: [],
  services: [],
  customer: { firstName: '', lastName: '', email: '', phone: '' },
  address: nowhere,
  shippingOption: delivery.batch ? null : (shippingOptions[0]?.code ?? null),
  promoCode: '',
  payment: { method: 'cash', received: '', checkNumber: '' },
})

/** The packages that a form may hold, in the way its pictures are chosen. */
export const packagesForMethod = ({ packages }: EntryForm, orderMethod: OrderMethod): EntryPackage[] =>
  packages.filter((one) => one[orderMethod])

/** The pictures of somebody that a package wants, where there is just one of a kind to choose. */
export const defaultImages = (
  { pictures }: EntrySubject,
  { package: made }: EntryPackage,
): { imageId: number | null; groupImageId: number | null } => {
  const only = (isGroup: boolean, isWanted: boolean): number | null => {
    const found = pictures.filter((one) => one.isGroup === isGroup)
    return isWanted && found.length === 1 ? (found[0]?.imageId ?? null) : null
  }
  const { own, groups } = requiredImageKinds(made)
  return { imageId: only(false, own), groupImageId: only(true, groups) }
}

/** Whether a picture that a line's package wants is still to be chosen. */
export const isMissingImage = (
  { imageId, groupImageId = null }: EntryFormLine,
  { package: made }: EntryPackage,
): boolean => {
  const { own, groups } = requiredImageKinds(made)
  return (own && imageId === null) || (groups && groupImageId === null)
}

/** What is still asked of a line: its texts that nothing known fills in. */
export const requiredTexts = ({ subject }: EntryFormLine, { package: made }: EntryPackage) =>
  textsToEnter(made, subject)

const isEmpty = (address: Address): boolean => Object.values(address).every((part) => part.trim() === '')

/** What the server is told of a form. */
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

/** Money as it is typed (`50`, `$50.00`), in whole cents; null where it is none. */
export const parseCents = (typed: string): Cents | null => {
  const plain = typed.replace(/[\s,$]/g, '')
  return /^\d{1,7}(?:\.\d{0,2})?$/.test(plain) ? toCents(Number(plain)) : null
}
