import type {
  Cart,
  CartImageNode,
  CartOrderServicesDetails,
  CartPackage,
  CartPackageItem,
  CartSubject,
} from '#domain/cart/cart.ts'
import type { OrderMethod, Package } from '#domain/catalogue/catalogue.ts'
import { toDollars } from '#domain/pricing/money.ts'
import type { CartRow, ImageRow, ItemRow, LineRow, ServiceRow, TextRow } from './cart-rows.ts'
import { usedImageIds } from './image-choice-rules.ts'
import {
  type BackgroundRecord,
  type ImageRecord,
  type SubjectRecord,
  snapshotBackground,
  snapshotImages,
  subjectSnapshot,
} from './subject-and-image-queries.ts'
import { isImageWithdrawn, type ShownImages, withdrawnOf } from './withdrawn-images.ts'

/** Rows by line id. */
type ByLine<Row> = Map<number, Row[]>

const groupByLine = <Row extends { cartPackageId: number }>(rows: readonly Row[]): ByLine<Row> =>
  Map.groupBy(rows, (row) => row.cartPackageId)

type CartParts = {
  items: ByLine<ItemRow>
  texts: ByLine<TextRow>
  images: ByLine<ImageRow>
  fields: ByLine<CartRow['fields'][number]>
  packages: Map<string, Package>
  subjectById: Map<number, SubjectRecord>
  imageById: Map<number, ImageRecord>
  backgrounds: Map<number, BackgroundRecord>
  showsImages: boolean
}

/** Builds the domain's cart from a row. Throws when a line refers to a package or subject that is missing. */
export const assembleCart = (row: CartRow, ref: { jobId: number; orderMethod: OrderMethod }): Cart => {
  const parts: CartParts = {
    items: groupByLine(row.items),
    texts: groupByLine(row.texts),
    images: groupByLine(row.images),
    fields: groupByLine(row.fields),
    packages: new Map(row.packages.map((version) => [`${version.id} ${version.version}`, version])),
    subjectById: new Map(row.people.map((subject) => [subject.id, subject])),
    imageById: new Map(row.image_records.map((image) => [image.id, image])),
    backgrounds: new Map(row.backgrounds.map((background) => [background.id, background])),
    showsImages: row.shows_images,
  }
  const cartPackages = row.lines.map((line) => lineOf(line, parts))
  return {
    id: row.id,
    ...ref,
    version: row.version,
    state: row.state,
    cartPackages,
    subjects: subjectsOf(cartPackages),
    cartOrderServicesDetails: servicesOf(row, parts),
    yearBookPoses: row.poses,
    ...(row.ordered && { orderedCarts: row.ordered }),
  }
}

const shownImagesOf = ({ showsImages, imageById }: CartParts): ShownImages => ({ showsImages, images: imageById })

const lineOf = (line: LineRow, parts: CartParts): CartPackage => {
  const { id, lineId, packageId, subjectId, quantity, greenScreenId } = line
  const linePackage = parts.packages.get(`${packageId} ${line.version}`)
  const subject = parts.subjectById.get(subjectId)
  if (!linePackage || !subject)
    throw new Error(`line ${id} refers to package ${packageId} and subject ${subjectId}: one was removed`)
  const nodes = parts.images.get(id) ?? []
  const usedImages = usedImageIds(nodes).flatMap((imageId) => parts.imageById.get(imageId) ?? [])
  const images = snapshotImages(subject, usedImages)
  const withdrawn = withdrawnOf(nodes, { ...subject, isConfirmed: subject.grantId !== null }, shownImagesOf(parts))
  const background = greenScreenId === null ? undefined : parts.backgrounds.get(greenScreenId)
  const thumbnails = new Map(images.map(({ imageId, thumbnailUrl }) => [imageId, thumbnailUrl]))
  return {
    id,
    lineId,
    packageId,
    subjectId,
    personId: subject.personId,
    quantity,
    price: linePackage.retailCost,
    greenScreen: greenScreenId === null ? null : { id: greenScreenId },
    cartPackageItems: (parts.items.get(id) ?? []).map((item) => itemOf(item, parts, thumbnails)),
    dataFields: (parts.fields.get(id) ?? []).map(({ cartPackageId: _, ...field }) => field),
    snapshot: {
      package: linePackage,
      subject: subjectSnapshot(subject),
      images: [...images, ...(background ? snapshotBackground(background) : [])],
      ...(withdrawn && { withdrawn }),
    },
  }
}

const itemOf = (item: ItemRow, parts: CartParts, thumbnails: Map<number, string>): CartPackageItem => {
  const { cartPackageId, ...itemFields } = item
  const isInItem = (node: { packageItemId: number }): boolean => node.packageItemId === item.packageItemId
  return {
    ...itemFields,
    textNodes: (parts.texts.get(cartPackageId) ?? [])
      .filter(isInItem)
      .map(({ id, packageItemTextNodeId, value, autoFilled }) => ({ id, packageItemTextNodeId, value, autoFilled })),
    imageNodes: (parts.images.get(cartPackageId) ?? []).filter(isInItem).map((node) => imageNodeOf(node, thumbnails)),
  }
}

const imageNodeOf = (node: ImageRow, thumbnails: Map<number, string>): CartImageNode => {
  const { cartPackageId: _line, packageItemId: _item, ...choice } = node
  const [visibleId] = usedImageIds([node])
  return { ...choice, imageThumbnailUrl: visibleId === undefined ? null : (thumbnails.get(visibleId) ?? null) }
}

/** The subjects of the lines, in the order of the lines. */
const subjectsOf = (lines: readonly CartPackage[]): CartSubject[] => {
  const subjectById = new Map(
    lines.map(({ subjectId, personId, snapshot }) => [subjectId, { subjectId, personId, ...snapshot.subject }]),
  )
  return [...subjectById.values()]
}

const servicesOf = ({ id: cartId, image_level, services }: CartRow, parts: CartParts): CartOrderServicesDetails => {
  const base = ({ id, subjectId, orderServiceId, priceCents }: ServiceRow) => ({
    id,
    cartId,
    subjectId,
    personId: parts.subjectById.get(subjectId)?.personId ?? null,
    orderServiceId,
    price: toDollars(priceCents),
  })
  return {
    cartOrderServices: services.filter(({ kind }) => kind === 'service').map(base),
    imageLevel: image_level,
    retouches: services.flatMap((row) => {
      if (row.level === null) return []
      const subject = parts.subjectById.get(row.subjectId)
      const withdrawn = subject && row.imageId !== null && isImageWithdrawn(row.imageId, subject, shownImagesOf(parts))
      return { ...base(row), level: row.level, imageLookupId: row.imageId, ...(withdrawn && { withdrawn }) }
    }),
    personalizations: services.flatMap((row) =>
      row.personalization === null ? [] : [{ ...base(row), ...row.personalization }],
    ),
  }
}
