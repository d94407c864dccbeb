import type { CartOrderService, CartPackageItem, LineSnapshot, Personalization, Retouch } from '../cart/cart.ts'

/** A stored line of an order: what was sold, and how it is printed (null for a service). */
export type StoredOrderLine = {
  snapshot: Partial<LineSnapshot> & { service?: CartOrderService | Retouch | Personalization }
  content: CartPackageItem[] | null
}

const anonymousSubject = { firstName: '', lastName: '', imageThumbnailUrl: null }

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
 * Anonymizes a line when its subject's data is deleted: product and price stay for bookkeeping; name, texts and images
 * are removed.
 */
export const anonymizeLine = ({ snapshot, content }: StoredOrderLine): StoredOrderLine => {
  const { service, ...packageSnapshot } = snapshot
  return {
    snapshot: {
      ...packageSnapshot,
      subject: anonymousSubject,
      images: [],
      ...(service && { service: anonymizeService(service) }),
    },
    content: content?.map(anonymizeItem) ?? null,
  }
}
