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

const byLine = <Row extends { cartPackageId: number }>(rows: readonly Row[]): ByLine<Row> =>
  Map.groupBy(rows, (row) => row.cartPackageId)

type Parts = {
  items: ByLine<ItemRow>
  texts: ByLine<TextRow>
  images: ByLine<ImageRow>
  fields: ByLine<CartRow['fields'][number]>
  packages: Map<string, Package>
  people: Map<number, SubjectRecord>
  pictures: Map<number, ImageRecord>
  backgrounds: Map<number, BackgroundRecord>
  showsImages: boolean
}

/** Builds the domain's cart from a row. Throws when a line refers to a package or subject that is missing. */
export const assembleCart = (row: CartRow, of: { jobId: number; orderMethod: OrderMethod }): Cart => {
  const parts: Parts = {
    items: byLine(row.items),
    texts: byLine(row.texts),
    images: byLine(row.images),
    fields: byLine(row.fields),
    packages: new Map(row.packages.map((one) => [`${one.id} ${one.version}`, one])),
    people: new Map(row.people.map((one) => [one.id, one])),
    pictures: new Map(row.pictures.map((one) => [one.id, one])),
    backgrounds: new Map(row.backgrounds.map((one) => [one.id, one])),
    showsImages: row.pictures_show,
  }
  const cartPackages = row.lines.map((line) => lineOf(line, parts))
  return {
    id: row.id,
    ...of,
    version: row.version,
    state: row.state,
    cartPackages,
    subjects: subjectsOf(cartPackages),
    cartOrderServicesDetails: servicesOf(row, parts),
    yearBookPoses: row.poses,
    ...(row.ordered && { orderedCarts: row.ordered }),
  }
}

const shownImagesOf = ({ showsImages, pictures }: Parts): ShownImages => ({ showsImages, images: pictures })

const lineOf = (line: LineRow, parts: Parts): CartPackage => {
  const { id, lineId, packageId, subjectId, quantity, greenScreenId } = line
  const made = parts.packages.get(`${packageId} ${line.version}`)
  const person = parts.people.get(subjectId)
  if (!made || !person)
    throw new Error(`line ${id} stands on package ${packageId} and subject ${subjectId}: one is gone`)
  const used = (parts.images.get(id) ?? []).flatMap(picturesIn)
  const pictures = [...new Set(used)].flatMap((imageId) => parts.pictures.get(imageId) ?? [])
  const images = snapshotImages(person, pictures)
  const withdrawn = withdrawnOf(
    parts.images.get(id) ?? [],
    { ...person, isConfirmed: person.grantId !== null },
    shownImagesOf(parts),
  )
  const background = greenScreenId === null ? undefined : parts.backgrounds.get(greenScreenId)
  const thumbnails = new Map(images.map((one) => [one.imageId, one.thumbnailUrl]))
  return {
    id,
    lineId,
    packageId,
    subjectId,
    personId: person.personId,
    quantity,
    price: made.retailCost,
    greenScreen: greenScreenId === null ? null : { id: greenScreenId },
    cartPackageItems: (parts.items.get(id) ?? []).map((item) => itemOf(item, parts, thumbnails)),
    dataFields: (parts.fields.get(id) ?? []).map(({ cartPackageId: _, ...field }) => field),
    snapshot: {
      package: made,
      subject: subjectSnapshot(person),
      images: [...images, ...(background ? snapshotBackground(background) : [])],
      ...(withdrawn && { withdrawn }),
    },
  }
}

const picturesIn = (node: ImageRow): number[] =>
  [node.replacementImageId, node.subjectImageId, node.groupImageId].filter((id) => id !== null)

const itemOf = (item: ItemRow, parts: Parts, thumbnails: Map<number, string>): CartPackageItem => {
  const { cartPackageId, ...shown } = item
  const isHere = (node: { packageItemId: number }): boolean => node.packageItemId === item.packageItemId
  return {
    ...shown,
    textNodes: (parts.texts.get(cartPackageId) ?? [])
      .filter(isHere)
      .map(({ id, packageItemTextNodeId, value, autoFilled }) => ({ id, packageItemTextNodeId, value, autoFilled })),
    imageNodes: (parts.images.get(cartPackageId) ?? []).filter(isHere).map((node) => imageNodeOf(node, thumbnails)),
  }
}

const imageNodeOf = (node: ImageRow, thumbnails: Map<number, string>): CartImageNode => {
  const { cartPackageId: _line, packageItemId: _item, ...choice } = node
  const [shown] = picturesIn(node)
  return { ...choice, imageThumbnailUrl: shown === undefined ? null : (thumbnails.get(shown) ?? null) }
}

/** The subjects of the lines, in the order of the lines. */
const subjectsOf = (lines: readonly CartPackage[]): CartSubject[] => {
  const known = new Map(
    lines.map(({ subjectId, personId, snapshot }) => [subjectId, { subjectId, personId, ...snapshot.subject }]),
  )
  return [...known.values()]
}

const servicesOf = ({ id: cartId, image_level, services }: CartRow, parts: Parts): CartOrderServicesDetails => {
  const base = ({ id, subjectId, orderServiceId, priceCents }: ServiceRow) => ({
    id,
    cartId,
    subjectId,
    personId: parts.people.get(subjectId)?.personId ?? null,
    orderServiceId,
    price: toDollars(priceCents),
  })
  return {
    cartOrderServices: services.filter(({ kind }) => kind === 'service').map(base),
    imageLevel: image_level,
    retouches: services.flatMap((row) => {
      if (row.level === null) return []
      const person = parts.people.get(row.subjectId)
      const withdrawn = person && row.imageId !== null && isImageWithdrawn(row.imageId, person, shownImagesOf(parts))
      return { ...base(row), level: row.level, imageLookupId: row.imageId, ...(withdrawn && { withdrawn }) }
    }),
    personalizations: services.flatMap((row) =>
      row.personalization === null ? [] : [{ ...base(row), ...row.personalization }],
    ),
  }
}
