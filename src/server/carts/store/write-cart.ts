import { type RawBuilder, sql } from 'kysely'
import type { Cart, CartPackage } from '#domain/cart/cart.ts'
import { fieldsOf, imagesOf, itemsOf, textsOf } from './line-rows.ts'
import { serviceWriteStatements } from './write-cart-services.ts'

/** A cart before and after a change; only the differences are written. */
export type CartChange = {
  readonly studioId: number
  readonly cartId: number
  readonly before: Cart
  readonly after: Cart
  readonly at: Date
}

type Part = RawBuilder<unknown>

const rows = (list: readonly object[], columns: string): Part =>
  sql`jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as x(${sql.raw(columns)})`

/**
 * The differences between two carts as parts of one `with`, so that any change takes few round trips. Lines, items and nodes are upserted
 * by the names that the device and the package give them, so that existing ids stay. Empty where the carts are equal.
 */
export const cartWriteStatements = (change: CartChange): Part[] => {
  const { before, after } = change
  const known = new Map(before.cartPackages.map((line) => [line.lineId, line]))
  // The cart rules copy what they change and share the rest, so identity shows what changed.
  const changed = after.cartPackages.filter((line) => known.get(line.lineId) !== line)
  const remaining = new Set(after.cartPackages.map((line) => line.lineId))
  const gone = [...known.keys()].filter((lineId) => !remaining.has(lineId))
  const filled = changed.filter((line) => known.get(line.lineId)?.cartPackageItems !== line.cartPackageItems)
  const described = changed.filter((line) => known.get(line.lineId)?.dataFields !== line.dataFields)
  const isOld = (line: CartPackage): boolean => known.has(line.lineId)
  return [
    ...(gone.length > 0 ? [removal(change, gone)] : []),
    ...(changed.length > 0 ? [lineUpsert(change, changed)] : []),
    ...(filled.length > 0 ? itemUpserts(change, filled) : []),
    ...(filled.some(isOld) ? strayRemovals(change, filled.filter(isOld)) : []),
    ...(described.some((line) => line.dataFields.length > 0) ? [fieldUpsert(change, described)] : []),
    ...(described.some(isOld) ? [fieldRemoval(change, described.filter(isOld))] : []),
    ...serviceWriteStatements(change),
  ]
}

const removal = ({ studioId, cartId }: CartChange, lineIds: readonly string[]): Part => sql`
  gone as (delete from cart_packages where studio_id = ${studioId} and cart_id = ${cartId}
    and line_id in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(lineIds)}::jsonb)))`

const lineUpsert = ({ studioId, cartId, at }: CartChange, lines: readonly CartPackage[]): Part => {
  const list = lines.map((line) => ({
    line: line.lineId,
    package: line.packageId,
    version: line.snapshot.package.version,
    subject: line.subjectId,
    quantity: line.quantity,
    screen: line.greenScreen?.id ?? null,
  }))
  const columns = 'line uuid, package bigint, version integer, subject bigint, quantity integer, screen bigint'
  return sql`
    line as (
      insert into cart_packages (studio_id, cart_id, line_id, package_id, package_version, subject_id, quantity,
                                 green_screen_id, created_at, updated_at)
      select ${studioId}::bigint, ${cartId}::bigint, x.line, x.package, x.version, x.subject, x.quantity, x.screen,
             ${at}::timestamptz, ${at}::timestamptz
        from ${rows(list, columns)}
      on conflict (studio_id, cart_id, line_id) do update
        set package_id = excluded.package_id, package_version = excluded.package_version, subject_id = excluded.subject_id,
            quantity = excluded.quantity, green_screen_id = excluded.green_screen_id, updated_at = excluded.updated_at
      returning id, line_id)`
}

const itemUpserts = ({ studioId }: CartChange, lines: readonly CartPackage[]): Part[] => {
  const [items, texts, images] = [itemsOf(lines), textsOf(lines), imagesOf(lines)]
  const upserts: Part[] = [
    sql`
    item as (
      insert into cart_package_items (studio_id, cart_package_id, package_item_id, name, product_code, position)
      select ${studioId}::bigint, line.id, x.item, x.name, x.code, x.position
        from ${rows(items, 'line uuid, item bigint, name text, code text, position integer')}
        join line on line.line_id = x.line
      on conflict (studio_id, cart_package_id, package_item_id) do update
        set name = excluded.name, product_code = excluded.product_code, position = excluded.position)`,
  ]
  if (texts.length > 0) {
    const columns = 'line uuid, item bigint, node bigint, value text, filled boolean, position integer'
    upserts.push(sql`
    texts as (
      insert into cart_text_nodes (studio_id, cart_package_id, package_item_id, package_item_text_node_id, value,
                                   auto_filled, position)
      select ${studioId}::bigint, line.id, x.item, x.node, x.value, x.filled, x.position
        from ${rows(texts, columns)} join line on line.line_id = x.line
      on conflict (studio_id, cart_package_id, package_item_text_node_id) do update
        set package_item_id = excluded.package_item_id, value = excluded.value, auto_filled = excluded.auto_filled,
            position = excluded.position)`)
  }
  if (images.length > 0) {
    const columns = `line uuid, item bigint, node bigint, subject bigint, "group" bigint, replacement bigint, crop jsonb,
      editor jsonb, rotation integer, position integer`
    upserts.push(sql`
    images as (
      insert into cart_image_nodes (studio_id, cart_package_id, package_item_id, package_item_image_node_id,
                                    subject_image_id, group_image_id, replacement_image_id, crop_dimensions,
                                    frontend_crop_dimensions, rotation, position)
      select ${studioId}::bigint, line.id, x.item, x.node, x.subject, x."group", x.replacement, x.crop, x.editor, x.rotation,
             x.position
        from ${rows(images, columns)} join line on line.line_id = x.line
      on conflict (studio_id, cart_package_id, package_item_image_node_id) do update
        set package_item_id = excluded.package_item_id, subject_image_id = excluded.subject_image_id,
            group_image_id = excluded.group_image_id, replacement_image_id = excluded.replacement_image_id,
            crop_dimensions = excluded.crop_dimensions, frontend_crop_dimensions = excluded.frontend_crop_dimensions,
            rotation = excluded.rotation, position = excluded.position)`)
  }
  return upserts
}

/** Another package or version has other items and nodes: deletes those the line no longer has. */
const strayRemovals = ({ studioId }: CartChange, lines: readonly CartPackage[]): Part[] => {
  const stray = (table: string, column: string, kept: readonly object[]): Part => sql`
    ${sql.ref(`stray_${table}`)} as (
      delete from ${sql.table(table)} n using line
       where n.studio_id = ${studioId} and n.cart_package_id = line.id
         and line.line_id in (select value::uuid from jsonb_array_elements_text(${lineIds(lines)}::jsonb))
         and not exists (select from ${rows(kept, 'line uuid, name bigint')}
                          where x.line = line.line_id and x.name = n.${sql.ref(column)}))`
  const named = (list: readonly { line: string; item: number; node?: number }[]) =>
    list.map(({ line, item, node }) => ({ line, name: node ?? item }))
  return [
    stray('cart_package_items', 'package_item_id', named(itemsOf(lines))),
    stray('cart_text_nodes', 'package_item_text_node_id', named(textsOf(lines))),
    stray('cart_image_nodes', 'package_item_image_node_id', named(imagesOf(lines))),
  ]
}

const lineIds = (lines: readonly CartPackage[]): string => JSON.stringify(lines.map((line) => line.lineId))

const fieldUpsert = ({ studioId }: CartChange, lines: readonly CartPackage[]): Part => sql`
  fields as (
    insert into cart_data_fields (studio_id, cart_package_id, subject_id, name, value, template_id, option_id, position)
    select ${studioId}::bigint, line.id, x.subject, x.name, x.value, x.template, x.option, x.position
      from ${rows(fieldsOf(lines), 'line uuid, subject bigint, name text, value text, template bigint, option bigint, position integer')}
      join line on line.line_id = x.line
    on conflict (studio_id, cart_package_id, subject_id, name) do update
      set value = excluded.value, template_id = excluded.template_id, option_id = excluded.option_id,
          position = excluded.position)`

const fieldRemoval = ({ studioId }: CartChange, lines: readonly CartPackage[]): Part => sql`
  stray_fields as (
    delete from cart_data_fields n using line
     where n.studio_id = ${studioId} and n.cart_package_id = line.id
       and line.line_id in (select value::uuid from jsonb_array_elements_text(${lineIds(lines)}::jsonb))
       and not exists (select from ${rows(fieldsOf(lines), 'line uuid, subject bigint, name text')}
                        where x.line = line.line_id and x.subject = n.subject_id and x.name = n.name))`
