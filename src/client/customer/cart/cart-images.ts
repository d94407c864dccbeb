import type { Cart } from '#domain/cart/cart.ts'
import type { SubjectKey } from '#domain/cart/mutation.ts'
import { isSameSubject } from '#domain/cart/order-services.ts'

/**
 * A subject's image in the cart, numbered in the order of the packages. `printed`: a package still uses it;
 * `retouched`: retouching of it is ordered.
 */
export type CartImage = {
  imageId: number
  number: number
  thumbnailUrl: string | null
  printed: boolean
  retouched: boolean
}

export const imageLabel = ({ number }: CartImage): string => `Photo ${number}`

/** The image's label, with a remark if no package uses it any more. */
export const imageLabelWithStatus = (image: CartImage): string =>
  image.printed ? imageLabel(image) : `${imageLabel(image)}, no longer in a package`

/** The subject's own images: first those in their packages, then those that are only retouched. */
export const imagesInCart = (
  { cartPackages, cartOrderServicesDetails: details }: Cart,
  owner: SubjectKey,
): CartImage[] => {
  const lines = cartPackages.filter((line) => isSameSubject(line, owner))
  const images = lines.flatMap((line) => line.snapshot.images)
  const printedIds = lines
    .flatMap((line) => line.cartPackageItems)
    .flatMap((item) => item.imageNodes)
    .filter(({ replacementImageId }) => replacementImageId === null)
    .flatMap(({ subjectImageId }) => subjectImageId ?? [])
  const retouchedIds = details.retouches
    .filter((retouch) => isSameSubject(retouch, owner))
    .flatMap(({ imageLookupId }) => imageLookupId ?? [])
  return [...new Set([...printedIds, ...retouchedIds])].map((imageId, index) => ({
    imageId,
    number: index + 1,
    thumbnailUrl: images.find((image) => image.imageId === imageId)?.thumbnailUrl ?? null,
    printed: printedIds.includes(imageId),
    retouched: retouchedIds.includes(imageId),
  }))
}
