import { type RawBuilder, sql } from 'kysely'
import type { Cart, OrderedCart, YearBookPose } from '#domain/cart/cart.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { type ClosedReason, closedReason } from '#domain/catalogue/job-availability.ts'
import { grantToSubject, type JobSession } from '#server/access/grants/grants.ts'
import type { Db, Transaction } from '#server/database/database.ts'
import {
  areImagesVisibleToBuyers,
  endOfDay,
  galleryEnd,
  type OrderAvailabilityRow,
  orderAvailabilityColumns,
  orderAvailabilityOf,
} from '#server/jobs/store/order-availability.ts'
import { assembleCart } from './assemble-cart.ts'
import type { CartRow } from './cart-rows.ts'
import { backgroundRecords, imageRecords, subjectRecords } from './subject-and-image-queries.ts'

const jsonList = (columns: RawBuilder<unknown>, order: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`coalesce(json_agg(json_build_object(${columns}) order by ${order}), '[]')`

const ofCart = sql`p.studio_id = c.studio_id and p.cart_id = c.id`

const lines = sql`(select ${jsonList(
  sql`'id', p.id, 'lineId', p.line_id, 'packageId', p.package_id, 'version', p.package_version,
      'subjectId', p.subject_id, 'quantity', p.quantity, 'greenScreenId', p.green_screen_id`,
  sql`p.id`,
)} from cart_packages p where ${ofCart})`

const items = sql`(select ${jsonList(
  sql`'id', i.id, 'cartPackageId', i.cart_package_id, 'packageItemId', i.package_item_id, 'name', i.name,
      'productCode', i.product_code`,
  sql`i.position, i.id`,
)} from cart_packages p join cart_package_items i on i.studio_id = p.studio_id and i.cart_package_id = p.id where ${ofCart})`

const texts = sql`(select ${jsonList(
  sql`'id', n.id, 'cartPackageId', n.cart_package_id, 'packageItemId', n.package_item_id,
      'packageItemTextNodeId', n.package_item_text_node_id, 'value', n.value, 'autoFilled', n.auto_filled`,
  sql`n.position, n.id`,
)} from cart_packages p join cart_text_nodes n on n.studio_id = p.studio_id and n.cart_package_id = p.id where ${ofCart})`

const images = sql`(select ${jsonList(
  sql`'id', n.id, 'cartPackageId', n.cart_package_id, 'packageItemId', n.package_item_id,
      'packageItemImageNodeId', n.package_item_image_node_id, 'subjectImageId', n.subject_image_id,
      'groupImageId', n.group_image_id, 'replacementImageId', n.replacement_image_id,
      'cropDimensions', n.crop_dimensions, 'frontendCropDimensions', n.frontend_crop_dimensions, 'rotation', n.rotation`,
  sql`n.position, n.id`,
)} from cart_packages p join cart_image_nodes n on n.studio_id = p.studio_id and n.cart_package_id = p.id where ${ofCart})`

const fields = sql`(select ${jsonList(
  sql`'cartPackageId', f.cart_package_id, 'subjectId', f.subject_id, 'name', f.name, 'value', f.value,
      'templateId', f.template_id, 'optionId', f.option_id`,
  sql`f.position, f.id`,
)} from cart_packages p join cart_data_fields f on f.studio_id = p.studio_id and f.cart_package_id = p.id where ${ofCart})`

const packages = sql`(
  select coalesce(json_agg(v.content || jsonb_build_object('id', v.package_id, 'version', v.version)), '[]')
    from package_versions v
   where v.studio_id = c.studio_id
     and (v.package_id, v.version) in (select p.package_id, p.package_version from cart_packages p where ${ofCart}))`

const services = sql`(select ${jsonList(
  sql`'id', o.id, 'kind', o.kind, 'subjectId', o.subject_id, 'orderServiceId', o.order_service_id, 'imageId', o.image_id,
      'priceCents', o.price_cents, 'level', r.level,
      'personalization', case when z.studio_id is not null then json_build_object(
        'nameOnWallets', z.name_on_wallets, 'nameOnAllPrints', z.name_on_all_prints, 'yearOnWallets', z.year_on_wallets,
        'yearOnAllPrints', z.year_on_all_prints, 'nameToPrint', z.name_to_print, 'yearToPrint', z.year_to_print) end`,
  sql`o.id`,
)} from cart_order_services o
   left join cart_retouches r on r.studio_id = o.studio_id and r.cart_order_service_id = o.id
   left join cart_personalizations z on z.studio_id = o.studio_id and z.cart_order_service_id = o.id
  where o.studio_id = c.studio_id and o.cart_id = c.id)`

const subjectsOfCart = sql`
  select p.subject_id from cart_packages p where ${ofCart}
  union select o.subject_id from cart_order_services o where o.studio_id = c.studio_id and o.cart_id = c.id`
const imagesOfCart = sql`
  select x.id from cart_packages p
    join cart_image_nodes n on n.studio_id = p.studio_id and n.cart_package_id = p.id,
    lateral (values (n.subject_image_id), (n.group_image_id), (n.replacement_image_id)) x (id)
   where ${ofCart} and x.id is not null
  union select o.image_id from cart_order_services o where o.studio_id = c.studio_id and o.cart_id = c.id and o.image_id is not null`

const backgroundsOfCart = sql`select p.green_screen_id from cart_packages p where ${ofCart}`

/**
 * The yearbook poses in job `j`, staff's choices included, of subjects that this session was granted individually,
 * chose a pose for, or has in its cart (`subjects`). A grant to a public gallery is not enough, because the gallery shows every subject.
 */
const poses = (jobSession: JobSession, now: Date, subjects: RawBuilder<unknown>): RawBuilder<YearBookPose[]> => sql`(
  select coalesce(json_agg(json_build_object('subjectId', y.subject_id, 'imageId', y.image_id) order by y.subject_id), '[]')
    from year_book_poses y
    join subjects u on u.studio_id = y.studio_id and u.id = y.subject_id and u.job_id = j.id
    join ${grantToSubject(jobSession, now)} shown on true
   where y.studio_id = j.studio_id and y.subject_id in (
     select g.subject_id from session_grants g
      where g.studio_id = j.studio_id and g.session_id = ${jobSession.session.id} and g.job_id = j.id and g.kind = 'subject'
     union select o.subject_id from year_book_poses o
      where o.studio_id = j.studio_id and o.session_id = ${jobSession.session.id}
     union ${subjects}))`

/** The next instant at which cart `c` of job `j`, studio `s`, looks different or is checked differently by the clock alone. */
const nextChangeOf = ({ session }: JobSession, now: Date): RawBuilder<Date | null> => sql`(
  select min(x.at) from (values
      (j.published_at), (j.prepay_opens_at), (j.prepay_closes_at), (j.gallery_opens_at), (j.gallery_closes_at),
      (j.year_book_pose_expires_at), (${endOfDay(sql`j.order_by`)}), (${galleryEnd}),
      ((select min(g.expires_at) from session_grants g
         where g.studio_id = j.studio_id and g.session_id = ${session.id} and g.expires_at > ${now}::timestamptz)),
      ((select min(i.published_at) from image_lookups i
         where i.studio_id = c.studio_id and i.published_at > ${now}::timestamptz and i.id in (
           select o.id from image_lookups o where o.studio_id = c.studio_id and o.subject_id in (${subjectsOfCart})
           union ${imagesOfCart}
           union select q.image_id from green_screens q where q.studio_id = c.studio_id and q.id in (${backgroundsOfCart}))))) x (at)
   where x.at > ${now}::timestamptz)`

/** A session's cart for one order method. */
export type CartRef = JobSession & { readonly orderMethod: OrderMethod }

/** The limit on earlier orders, above what any customer orders from one job. Beyond it only the newest are returned. */
const maxEarlierOrders = 20

/** The earlier carts that became orders, as JSON; null where there are none. */
export const earlierOrders = ({ session, job, orderMethod }: CartRef): RawBuilder<OrderedCart[] | null> => sql`(
  select json_agg(json_build_object('cartId', b.id, 'orderNumber', b.order_number) order by b.updated_at desc, b.id) from (
    select e.id, e.updated_at, r.order_number
      from carts e left join orders r on r.studio_id = e.studio_id and r.cart_id = e.id
     where e.studio_id = ${job.studioId} and e.session_id = ${session.id} and e.job_id = ${job.jobId}
       and e.order_method = ${orderMethod} and e.state = 'ordered'
     order by e.updated_at desc, e.id limit ${maxEarlierOrders}) b)`

/** What a new cart contains besides its lines. */
export type NewCartDetails = {
  readonly imageLevel: boolean
  readonly poses: YearBookPose[]
  readonly ordered: OrderedCart[] | null
}

/** Selects the details of a new cart in job `j` with these subjects. */
export const newCartDetails = (
  cartRef: CartRef,
  now: Date,
  subjects: RawBuilder<unknown>,
): RawBuilder<NewCartDetails> =>
  sql`json_build_object('imageLevel', j.image_level_service, 'poses', ${poses(cartRef, now, subjects)},
                        'ordered', ${earlierOrders(cartRef)})`

type DatedCart = {
  readonly cart: Cart
  /** Why its order method is closed; null if it is open. */
  readonly closed: ClosedReason | null
  /** The instant from which the cart may look different, or open or close, without a change of data; null if never. */
  readonly validUntil: Date | null
}

/**
 * Reads the session's live cart for an order method, with everything that its lines refer to; undefined when there is
 * none. One statement, because every screen of the cart waits for it.
 */
export const readDatedCart = async (
  db: Db | Transaction,
  cartRef: CartRef,
  now: Date,
): Promise<DatedCart | undefined> => {
  const { session, job, orderMethod } = cartRef
  const { rows } = await sql<CartRow & OrderAvailabilityRow>`
    select ${orderAvailabilityColumns(now)},
           c.id, c.version, c.state, j.image_level_service as image_level, ${areImagesVisibleToBuyers(now)} as shows_images, ${lines} as lines, ${items} as items,
           ${texts} as texts, ${images} as images, ${fields} as fields, ${packages} as packages, ${services} as services,
           ${subjectRecords(cartRef, now, subjectsOfCart)} as people, ${imageRecords(now, imagesOfCart)} as image_records,
           ${backgroundRecords(cartRef, now, backgroundsOfCart)} as backgrounds, ${poses(cartRef, now, subjectsOfCart)} as poses,
           ${earlierOrders(cartRef)} as ordered, ${nextChangeOf(cartRef, now)} as valid_until
      from carts c
      join jobs j on j.studio_id = c.studio_id and j.id = c.job_id
      join studios s on s.id = c.studio_id
     where c.studio_id = ${job.studioId} and c.session_id = ${session.id} and c.job_id = ${job.jobId}
       and c.order_method = ${orderMethod} and c.state <> 'ordered'`.execute(db)
  const [row] = rows
  return (
    row && {
      cart: assembleCart(row, { jobId: job.jobId, orderMethod }),
      closed: closedReason(orderAvailabilityOf(row, now), orderMethod),
      validUntil: row.valid_until,
    }
  )
}

/** Reads the session's live cart for an order method; undefined when there is none. */
export const readCart = async (db: Db | Transaction, cartRef: CartRef, now: Date): Promise<Cart | undefined> =>
  (await readDatedCart(db, cartRef, now))?.cart
