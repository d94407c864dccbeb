import { sql } from 'kysely'
import type { ImageUsage } from '#contract/studio/images/image-lookups.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import { idsIn } from '#server/carts/store/subject-and-image-queries.ts'
import type { Db, Transaction } from '#server/database/database.ts'

/** The usage of a job's images, in the order of their ids; unknown ids are left out. */
export const readImageUsage = async (
  db: Db | Transaction,
  { studioId, jobId }: JobKey,
  imageIds: readonly number[],
): Promise<ImageUsage[]> => {
  const { rows } = await sql<ImageUsage>`
    with requested as (
      select i.studio_id, i.id, i.file_name from image_lookups i
       where i.studio_id = ${studioId} and i.job_id = ${jobId} and i.id in ${idsIn(imageIds)}),
    in_carts as (
      select n.image_id, l.cart_id from carts c
        join cart_packages l on l.studio_id = c.studio_id and l.cart_id = c.id
        join cart_image_nodes x on x.studio_id = l.studio_id and x.cart_package_id = l.id
        cross join lateral (values (x.subject_image_id), (x.group_image_id), (x.replacement_image_id)) n (image_id)
       where c.studio_id = ${studioId} and c.job_id = ${jobId} and c.state <> 'ordered'
      union
      select s.image_id, s.cart_id from carts c
        join cart_order_services s on s.studio_id = c.studio_id and s.cart_id = c.id
       where c.studio_id = ${studioId} and c.job_id = ${jobId} and c.state <> 'ordered'),
    in_orders as (
      select distinct (n.id)::bigint as image_id, o.id, o.order_number, o.first_name, o.last_name, o.state
        from orders o join order_lines l on l.studio_id = o.studio_id and l.order_id = o.id
        cross join lateral jsonb_array_elements(coalesce(l.content, '[]')) item
        cross join lateral jsonb_array_elements(coalesce(item -> 'imageNodes', '[]')) node
        cross join lateral (values (node ->> 'subjectImageId'), (node ->> 'groupImageId'), (node ->> 'replacementImageId')) n (id)
       where o.studio_id = ${studioId} and o.job_id = ${jobId} and o.state <> 'cancelled' and n.id is not null)
    select a.id as "imageId", a.file_name as "fileName",
           (select count(*) from in_carts c where c.image_id = a.id) as carts,
           (select coalesce(json_agg(json_build_object('orderNumber', o.order_number,
                     'customerName', o.first_name || ' ' || o.last_name, 'state', o.state) order by o.id), '[]')
              from in_orders o where o.image_id = a.id) as orders,
           (select count(*) from year_book_poses y where y.studio_id = a.studio_id and y.image_id = a.id) as "yearBookPoses",
           exists (select from subjects u where u.studio_id = a.studio_id and u.primary_image_id = a.id) as "isPrimary",
           (select count(*) from downloads d where d.studio_id = a.studio_id and d.image_id = a.id) as downloads
      from requested a order by a.id`.execute(db)
  return rows
}

/** Whether an order, a cart or a download has the image. */
export const isImageUsed = ({ orders, carts, downloads }: ImageUsage): boolean =>
  orders.length > 0 || carts > 0 || downloads > 0
