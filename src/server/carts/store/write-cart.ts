import { type RawBuilder, sql } from 'kysely'
import type { Cart, CartPackage, CartPackageItem, LineSnapshot } from '#domain/cart/cart.ts'
import { usedImageIds } from './image-choice-rules.ts'
import { fieldsOf, imagesOf, itemsOf, textsOf } from './line-rows.ts'
import { type CartChange, serviceWriteStatements } from './write-cart-services.ts'

type Statement = RawBuilder<unknown>

const recordset = (entries: readonly object[], columns: string): Statement =>
  sql`jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as x(${sql.raw(columns)})`

/**
 * The statements of one `with`, which writes the differences between two carts in one round trip. Lines, items and nodes
 * are upserted by the ids of the device and the package, so that their row ids do not change. Empty where the carts are
 * equal.
 */
export const cartWriteStatements = (change: CartChange): Statement[] => {
  const { before, after } = change
  const lineBefore = new Map(before.cartPackages.map((line) => [line.lineId, line]))
  // The cart rules copy only what they change, so a changed line is a new object.
  const changedLines = after.cartPackages.filter((line) => lineBefore.get(line.lineId) !== line)
  const remaining = new Set(after.cartPackages.map((line) => line.lineId))
  const removedIds = [...lineBefore.keys()].filter((lineId) => !remaining.has(lineId))
  const linesWithNewItems = changedLines.filter(
    (line) => lineBefore.get(line.lineId)?.cartPackageItems !== line.cartPackageItems,
  )
  const linesWithNewFields = changedLines.filter((line) => lineBefore.get(line.lineId)?.dataFields !== line.dataFields)
  const isExistingLine = (line: CartPackage): boolean => lineBefore.has(line.lineId)
  return [
    ...(removedIds.length > 0 ? [deleteLines(change, removedIds)] : []),
    ...(changedLines.length > 0 ? [upsertLines(change, changedLines)] : []),
    ...(linesWithNewItems.length > 0 ? upsertItems(change, linesWithNewItems) : []),
    ...(linesWithNewItems.some(isExistingLine)
      ? deleteStrayNodes(change, linesWithNewItems.filter(isExistingLine))
      : []),
    ...(linesWithNewFields.some((line) => line.dataFields.length > 0)
      ? [upsertFields(change, linesWithNewFields)]
      : []),
    ...(linesWithNewFields.some(isExistingLine)
      ? [deleteStrayFields(change, linesWithNewFields.filter(isExistingLine))]
      : []),
    ...serviceWriteStatements(change),
  ]
}

/** Row ids that the database assigned: of lines by line id; of items and nodes by row id of the line and id of the package. */
export type RowIds = Readonly<
  Record<'lines' | 'items' | 'texts' | 'images', [id: number, ...key: (string | number)[]][] | null>
>

const newLines = ({ before, after }: Pick<CartChange, 'before' | 'after'>): CartPackage[] => {
  const lineIdsBefore = new Set(before.cartPackages.map(({ lineId }) => lineId))
  return after.cartPackages.filter(({ lineId }) => !lineIdsBefore.has(lineId))
}

/** Selects the `RowIds` of what `cartWriteStatements` inserts; null without new lines. */
export const newRowIds = (change: Pick<CartChange, 'before' | 'after'>): Statement => {
  const lines = newLines(change)
  if (lines.length === 0) return sql`null::json`
  const idsIn = (rows: readonly object[], statement: string): Statement =>
    rows.length === 0
      ? sql`null`
      : sql`(select json_agg(json_build_array(x.id, x.cart_package_id, x.key)) from ${sql.raw(statement)} x)`
  return sql`json_build_object(
    'lines', (select json_agg(json_build_array(line.id, line.line_id)) from line), 'items', ${idsIn(itemsOf(lines), 'item')},
    'texts', ${idsIn(textsOf(lines), 'texts')}, 'images', ${idsIn(imagesOf(lines), 'images')})`
}

/** The images that nodes use, without duplicates, in the order in which a cart is read: the first nodes of all items come first. */
const usedImages = (items: readonly CartPackageItem[], { images }: LineSnapshot): LineSnapshot['images'] => {
  const nodes = items.flatMap((item) => item.imageNodes.map((node, position) => ({ ...node, position })))
  nodes.sort((a, b) => a.position - b.position || (a.id ?? 0) - (b.id ?? 0))
  return usedImageIds(nodes).flatMap((id) => images.find(({ imageId }) => imageId === id) ?? [])
}

/** A changed cart as a read returns it, with the row ids of its new lines. */
export const withRowIds = (change: Pick<CartChange, 'before' | 'after'>, rowIds: RowIds): Cart => {
  const idByKey = (rows: RowIds['lines']): Map<string, number> =>
    new Map((rows ?? []).map(([id, ...key]) => [key.join(' '), id]))
  const [lines, items, texts, images] = [rowIds.lines, rowIds.items, rowIds.texts, rowIds.images].map(idByKey)
  const fill = (line: CartPackage): CartPackage => {
    const id = lines?.get(line.lineId) ?? null
    const cartPackageItems = line.cartPackageItems.map((item) => ({
      ...item,
      id: items?.get(`${id} ${item.packageItemId}`) ?? null,
      textNodes: item.textNodes.map((node) => ({
        ...node,
        id: texts?.get(`${id} ${node.packageItemTextNodeId}`) ?? null,
      })),
      imageNodes: item.imageNodes.map((node) => ({
        ...node,
        id: images?.get(`${id} ${node.packageItemImageNodeId}`) ?? null,
      })),
    }))
    const snapshot = { ...line.snapshot, images: usedImages(cartPackageItems, line.snapshot) }
    return { ...line, id, cartPackageItems, snapshot }
  }
  const added = new Set(newLines(change))
  const { after } = change
  return { ...after, cartPackages: after.cartPackages.map((line) => (added.has(line) ? fill(line) : line)) }
}

const deleteLines = ({ studioId, cartId, onlyIf }: CartChange, lineIds: readonly string[]): Statement => sql`
  gone as (delete from cart_packages where studio_id = ${studioId} and cart_id = ${cartId} and ${onlyIf}
    and line_id in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(lineIds)}::jsonb)))`

const upsertLines = ({ studioId, cartId, at, onlyIf }: CartChange, lines: readonly CartPackage[]): Statement => {
  const entries = lines.map((line) => ({
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
        from ${recordset(entries, columns)} where ${onlyIf}
      on conflict (studio_id, cart_id, line_id) do update
        set package_id = excluded.package_id, package_version = excluded.package_version, subject_id = excluded.subject_id,
            quantity = excluded.quantity, green_screen_id = excluded.green_screen_id, updated_at = excluded.updated_at
      returning id, line_id)`
}

const upsertItems = ({ studioId }: CartChange, lines: readonly CartPackage[]): Statement[] => {
  const [items, texts, images] = [itemsOf(lines), textsOf(lines), imagesOf(lines)]
  const upserts: Statement[] = [
    sql`
    item as (
      insert into cart_package_items (studio_id, cart_package_id, package_item_id, name, product_code, position)
      select ${studioId}::bigint, line.id, x.item, x.name, x.code, x.position
        from ${recordset(items, 'line uuid, item bigint, name text, code text, position integer')}
        join line on line.line_id = x.line
      on conflict (studio_id, cart_package_id, package_item_id) do update
        set name = excluded.name, product_code = excluded.product_code, position = excluded.position
      returning cart_package_id, package_item_id as key, id)`,
  ]
  if (texts.length > 0) {
    const columns = 'line uuid, item bigint, node bigint, value text, filled boolean, position integer'
    upserts.push(sql`
    texts as (
      insert into cart_text_nodes (studio_id, cart_package_id, package_item_id, package_item_text_node_id, value,
                                   auto_filled, position)
      select ${studioId}::bigint, line.id, x.item, x.node, x.value, x.filled, x.position
        from ${recordset(texts, columns)} join line on line.line_id = x.line
      on conflict (studio_id, cart_package_id, package_item_text_node_id) do update
        set package_item_id = excluded.package_item_id, value = excluded.value, auto_filled = excluded.auto_filled,
            position = excluded.position
      returning cart_package_id, package_item_text_node_id as key, id)`)
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
        from ${recordset(images, columns)} join line on line.line_id = x.line
      on conflict (studio_id, cart_package_id, package_item_image_node_id) do update
        set package_item_id = excluded.package_item_id, subject_image_id = excluded.subject_image_id,
            group_image_id = excluded.group_image_id, replacement_image_id = excluded.replacement_image_id,
            crop_dimensions = excluded.crop_dimensions, frontend_crop_dimensions = excluded.frontend_crop_dimensions,
            rotation = excluded.rotation, position = excluded.position
      returning cart_package_id, package_item_image_node_id as key, id)`)
  }
  return upserts
}

/** Deletes items and nodes that a line no longer has, after its package or package version changed. */
const deleteStrayNodes = ({ studioId }: CartChange, lines: readonly CartPackage[]): Statement[] => {
  const deleteStray = (table: string, column: string, current: readonly object[]): Statement => sql`
    ${sql.ref(`stray_${table}`)} as (
      delete from ${sql.table(table)} n using line
       where n.studio_id = ${studioId} and n.cart_package_id = line.id
         and line.line_id in (select value::uuid from jsonb_array_elements_text(${lineIds(lines)}::jsonb))
         and not exists (select from ${recordset(current, 'line uuid, name bigint')}
                          where x.line = line.line_id and x.name = n.${sql.ref(column)}))`
  const withNodeId = (entries: readonly { line: string; item: number; node?: number }[]) =>
    entries.map(({ line, item, node }) => ({ line, name: node ?? item }))
  return [
    deleteStray('cart_package_items', 'package_item_id', withNodeId(itemsOf(lines))),
    deleteStray('cart_text_nodes', 'package_item_text_node_id', withNodeId(textsOf(lines))),
    deleteStray('cart_image_nodes', 'package_item_image_node_id', withNodeId(imagesOf(lines))),
  ]
}

const lineIds = (lines: readonly CartPackage[]): string => JSON.stringify(lines.map((line) => line.lineId))

const upsertFields = ({ studioId }: CartChange, lines: readonly CartPackage[]): Statement => sql`
  fields as (
    insert into cart_data_fields (studio_id, cart_package_id, subject_id, name, value, template_id, option_id, position)
    select ${studioId}::bigint, line.id, x.subject, x.name, x.value, x.template, x.option, x.position
      from ${recordset(fieldsOf(lines), 'line uuid, subject bigint, name text, value text, template bigint, option bigint, position integer')}
      join line on line.line_id = x.line
    on conflict (studio_id, cart_package_id, subject_id, name) do update
      set value = excluded.value, template_id = excluded.template_id, option_id = excluded.option_id,
          position = excluded.position)`

const deleteStrayFields = ({ studioId }: CartChange, lines: readonly CartPackage[]): Statement => sql`
  stray_fields as (
    delete from cart_data_fields n using line
     where n.studio_id = ${studioId} and n.cart_package_id = line.id
       and line.line_id in (select value::uuid from jsonb_array_elements_text(${lineIds(lines)}::jsonb))
       and not exists (select from ${recordset(fieldsOf(lines), 'line uuid, subject bigint, name text')}
                        where x.line = line.line_id and x.subject = n.subject_id and x.name = n.name))`
