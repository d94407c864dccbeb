import type { CartOrderService, CartPackageItem, LineSnapshot, Personalization, Retouch } from '../cart/cart.ts'

/** A line of an order as it is kept: what was sold, and how it is printed (nothing for a service). */
export type StoredOrderLine = {
  snapshot: Partial<LineSnapshot> & { service?: CartOrderService | Retouch | Personalization }
  content: CartPackageItem[] | null
}

const nobody = { firstName: '', lastName: '', imageThumbnailUrl: null }

const anonymizeService = (service: NonNullable<StoredOrderLine['snapshot']['service']>) => ({
  ...service,
  subjectId: null,
  personId: null,
  ...('nameToPrint' in service && { nameToPrint: '' }),
  ...('imageLookupId' in service && { imageLookupId: null }),
})

const anonymizeItem = (item: CartPackageItem): CartPackageItem => ({
  ...item,
  textNodes: item.textNodes.map((node) => ({ ...node, value: '' })),
  imageNodes: item.imageNodes.map((node) => ({
    ...node,
    subjectImageId: null,
    groupImageId: null,
    replacementImageId: null,
    imageThumbnailUrl: null,
    cropDimensions: null,
    frontendCropDimensions: null,
  })),
})

/**
 * A line after the data of who was pictured is deleted: what was sold and for how much stays for the books, without name, words and
 * pictures.
 */
export const anonymizeLine = ({ snapshot, content }: StoredOrderLine): StoredOrderLine => {
  const { service, ...sold } = snapshot
  return {
    snapshot: { ...sold, subject: nobody, images: [], ...(service && { service: anonymizeService(service) }) },
    content: content?.map(anonymizeItem) ?? null,
  }
}
