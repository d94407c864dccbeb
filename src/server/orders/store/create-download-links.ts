import { addHours } from 'date-fns/addHours'
import { sql } from 'kysely'
import type { CartPackageItem } from '#domain/cart/cart.ts'
import { shownImageId } from '#domain/cart/line-content.ts'
import { type DownloadKind, downloadDays, downloadKindOf } from '#domain/catalogue/downloads.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import type { OrderKey } from './sold-lines.ts'

type Line = { id: number; subject_id: number | null; content: CartPackageItem[] | null }
type ExpectedDownload = { lineId: number; kind: DownloadKind; subjectId: number | null; imageId: number | null }

/** The image of an item; null before an image is chosen. */
const imageOf = ({ imageNodes: [node] }: CartPackageItem): number | null => (node ? shownImageId(node) : null)

const downloadsOf = ({ id, subject_id: subjectId, content }: Line): ExpectedDownload[] =>
  (content ?? []).flatMap((item) => {
    const kind = downloadKindOf(item.productCode)
    if (kind === null) return []
    const imageId = kind === 'single' ? imageOf(item) : null
    return kind === 'single' && imageId === null ? [] : [{ lineId: id, kind, subjectId, imageId }]
  })

export const alreadyDownloadedMessage =
  'Photos of this were already downloaded. Ask the studio if you need to change something'

/** Whether any image of an order was downloaded. Its customer can then no longer cancel it. */
export const isDownloaded = async (tx: Transaction, { studioId, orderId }: OrderKey): Promise<boolean> => {
  const rows = await tx
    .selectFrom('downloads')
    .select('id')
    .where('studio_id', '=', studioId)
    .where('order_id', '=', orderId)
    .where('downloaded_at', 'is not', null)
    .limit(1)
    .execute()
  return rows.length > 0
}

type LineEdit = { lineId: number; items: CartPackageItem[]; greenScreenId: number | null }

/**
 * Whether an edited line replaces a digital image that was downloaded, or its background. The customer would get two
 * images for the price of one.
 */
export const replacesDownloaded = async (
  tx: Transaction,
  { studioId, orderId }: OrderKey,
  { lineId, items, greenScreenId }: LineEdit,
): Promise<boolean> => {
  const { rows: downloads } = await sql<{ image_id: number; has_alpha: boolean; green_screen_id: number | null }>`
    select d.image_id, i.has_alpha, l.green_screen_id from downloads d
      join order_lines l on l.studio_id = d.studio_id and l.id = d.order_line_id
      join image_lookups i on i.studio_id = d.studio_id and i.id = d.image_id
     where d.studio_id = ${studioId} and d.order_id = ${orderId} and d.order_line_id = ${lineId} and d.kind = 'single'
       and d.downloaded_at is not null`.execute(tx)
  const chosenImageIds = items.filter((item) => downloadKindOf(item.productCode) === 'single').map(imageOf)
  return downloads.some(
    (download) =>
      !chosenImageIds.includes(download.image_id) || (download.has_alpha && download.green_screen_id !== greenScreenId),
  )
}

/** A link id of 128 random bits. */
const linkIdFrom = ({ randomBytes }: Deps): string => Buffer.from(randomBytes(16)).toString('base64url')

/**
 * Creates the download links of an order: one for each chosen digital image, and one for each "all images" product. A repeated call adds
 * missing links and revokes the links of replaced images. A background job composes cut-outs with their backgrounds. Returns the number of
 * added links. `isNotified`: whether the caller emails links of this kind to the customer, so that no later email is needed.
 */
export const createDownloadLinks = async (
  tx: Transaction,
  deps: Deps,
  { studioId, orderId, isNotified }: OrderKey & { isNotified: (kind: DownloadKind) => boolean },
): Promise<number> => {
  const now = deps.clock()
  const lines = await tx
    .selectFrom('order_lines')
    .select(['id', 'subject_id', 'content', 'green_screen_id'])
    .where('studio_id', '=', studioId)
    .where('order_id', '=', orderId)
    .where('kind', '=', 'package')
    .execute()
  const existing = await tx
    .selectFrom('downloads')
    .select(['id', 'order_line_id', 'kind', 'image_id'])
    .where('studio_id', '=', studioId)
    .where('order_id', '=', orderId)
    .where('revoked_at', 'is', null)
    .execute()
  const expected = lines.flatMap((line) => downloadsOf(line as Line)) // the column holds content that the rules of carts produced
  const hasBackground = lines.some((line) => line.green_screen_id !== null)
  if (expected.length > 0 && hasBackground) await deps.jobs.enqueue(tx, 'compose-downloads', { studioId, orderId })
  const isFor = (download: ExpectedDownload) => (link: (typeof existing)[number]) =>
    link.order_line_id === download.lineId && link.kind === download.kind && link.image_id === download.imageId
  const isSame = (first: ExpectedDownload, second: ExpectedDownload) =>
    first.lineId === second.lineId && first.kind === second.kind && first.imageId === second.imageId
  const missingDownloads = expected.filter((download, index) => {
    const isRepeated = expected.slice(0, index).some((previous) => isSame(previous, download))
    return !isRepeated && !existing.some(isFor(download))
  })
  const obsolete = existing.filter((link) => !expected.some((download) => isFor(download)(link)))
  for (const { id } of obsolete) {
    await tx
      .updateTable('downloads')
      .set({ revoked_at: now })
      .where('studio_id', '=', studioId)
      .where('id', '=', id)
      .execute()
  }
  if (missingDownloads.length === 0) return 0
  const expiresAt = addHours(now, downloadDays * 24)
  const rows = missingDownloads.map(({ lineId, kind, subjectId, imageId }) => ({
    studio_id: studioId,
    link_id: linkIdFrom(deps),
    order_id: orderId,
    order_line_id: lineId,
    kind,
    subject_id: subjectId,
    image_id: imageId,
    expires_at: expiresAt,
    created_at: now,
    told_at: isNotified(kind) ? now : null,
  }))
  await tx.insertInto('downloads').values(rows).execute()
  const links = rows.map((row) => ({ link_id: row.link_id, studio_id: studioId }))
  await tx.insertInto('download_links').values(links).execute()
  return rows.length
}
