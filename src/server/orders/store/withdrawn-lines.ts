import { sql } from 'kysely'
import type { CartPackage, WithdrawnContent } from '#domain/cart/cart.ts'
import { usedImageIds } from '#server/carts/store/image-choice-rules.ts'
import {
  type ImageRecord,
  idsIn,
  imageRecords,
  type SubjectRecord,
} from '#server/carts/store/subject-and-image-queries.ts'
import { withdrawnOf } from '#server/carts/store/withdrawn-images.ts'
import type { Transaction } from '#server/database/database.ts'
import { areImagesVisibleToBuyers } from '#server/jobs/store/order-availability.ts'
import { soldLine } from './sold-lines.ts'
import type { SoldOrder } from './sold-order.ts'

type Row = {
  showsImages: boolean
  images: ImageRecord[]
  people: Pick<SubjectRecord, 'id' | 'groupIds' | 'isHidden'>[]
}

/** The packages of an order as cart lines, each with the content that the studio has withdrawn. Deleted subjects count as hidden. */
export const readLinesWithWithdrawnContent = async (
  tx: Transaction,
  studioId: number,
  { sold: { jobId, lines }, now }: { sold: SoldOrder; now: Date },
): Promise<CartPackage[]> => {
  const nodesOf = (line: CartPackage) => line.cartPackageItems.flatMap((item) => item.imageNodes)
  const cartLines = lines.map(soldLine)
  const imageIds = usedImageIds(cartLines.flatMap(nodesOf))
  const subjectIds = lines.flatMap(({ subjectId }) => subjectId ?? [])
  const { rows } = await sql<Row>`
    select ${areImagesVisibleToBuyers(now)} as "showsImages", ${imageRecords(now, sql`select * from ${idsIn(imageIds)} as w`)} as images,
           (select coalesce(json_agg(json_build_object('id', u.id, 'isHidden', u.hidden_at is not null,
                     'groupIds', (select coalesce(json_agg(m.group_id), '[]') from subject_groups m
                                   where m.studio_id = u.studio_id and m.subject_id = u.id))), '[]')
              from subjects u where u.studio_id = j.studio_id and u.id in ${idsIn(subjectIds)}) as people
      from jobs j join studios s on s.id = j.studio_id
     where j.studio_id = ${studioId} and j.id = ${jobId}`.execute(tx)
  const [row] = rows
  if (!row) throw new Error(`job ${jobId} of an order does not exist`)
  const visibility = { showsImages: row.showsImages, images: new Map(row.images.map((image) => [image.id, image])) }
  return cartLines.map((line) => {
    const subject = row.people.find(({ id }) => id === line.subjectId)
    const withdrawn: WithdrawnContent | undefined = subject
      ? withdrawnOf(nodesOf(line), { ...subject, isConfirmed: true }, visibility)
      : { person: 'hidden', imageIds: [] }
    return { ...line, snapshot: { ...line.snapshot, ...(withdrawn && { withdrawn }) } }
  })
}
