import type { FastifyInstance } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import * as calls from '#contract/system/platform-products.ts'
import type { TaxClass } from '#domain/catalogue/package-preferences.ts'
import {
  type ProductDraft,
  productMessages,
  productRules,
  type TagDraft,
  tagMessages,
  tagRules,
} from '#domain/platform/product-draft.ts'
import { parseNumber } from '#domain/shared/validators.ts'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { textColumn } from '../file-responses/table-files.ts'
import { mount } from '../http/mount.ts'
import { problem } from '../http/problem.ts'
import { productImageUrl } from '../images/store/image-urls.ts'
import { type PlatformResource, resourceHandlers } from './platform-resource.ts'
import { imageKeyColumn, mountProductImages } from './product-images.ts'
import { hundredthsOfCell, type ResourceFile, resourceFileHandlers } from './resource-files.ts'

/** SQL: the items of package version `v` contain product `r`. It uses the index of package versions by product. */
const containsProduct: RawBuilder<boolean> = sql`
  v.content -> 'items' @> jsonb_build_array(jsonb_build_object('productCode', r.code))`

const currentVersions = sql`
  packages p join package_versions v
    on v.studio_id = p.studio_id and v.package_id = p.id and v.version = p.current_version`

const hasUnknownTag = async (tx: Transaction, tagIds: readonly number[]): Promise<boolean> => {
  if (tagIds.length === 0) return false
  const known = await tx.selectFrom('tags').select('id').where('id', 'in', tagIds).execute()
  return known.length < new Set(tagIds).size
}

const writeTags = async (tx: Transaction, productId: number, tagIds: readonly number[]): Promise<void> => {
  await tx.deleteFrom('product_tags').where('product_id', '=', productId).execute()
  const rows = [...new Set(tagIds)].map((tag_id) => ({ product_id: productId, tag_id }))
  if (rows.length > 0) await tx.insertInto('product_tags').values(rows).execute()
}

const tagsOf = (column: RawBuilder<unknown>) => sql`
  (select coalesce(json_agg(${column} order by lower(t.name)), '[]')
     from product_tags k join tags t on t.id = k.tag_id where k.product_id = r.id)`

const products: PlatformResource<ProductDraft> = {
  table: 'products',
  noun: 'product',
  columns: sql`
    r.id, r.code, r.name, r.description, r.is_digital as "isDigital", r.width_inches as "widthInches",
    r.height_inches as "heightInches", r.tax_class as "taxClass", r.allow_crop as "allowCrop", r.lab_sku as "labSku",
    r.cost_cents as "costCents", r.suggested_price_cents as "suggestedPriceCents", ${tagsOf(sql`t.id`)} as "tagIds",
    ${tagsOf(sql`t.name`)} as tags, ${productImageUrl(sql`r.image_file`)} as "imageUrl",
    (select count(*) from ${currentVersions} where ${containsProduct}) as "packageCount",
    r.archived_at is not null as "isArchived", r.version`,
  name: sql`concat_ws(' ', r.name, r.code, nullif(r.lab_sku, ''), (
    select string_agg(t.name, ' ') from product_tags k join tags t on t.id = k.tag_id where k.product_id = r.id))`,
  sorts: {
    name: sql`lower(r.name)`,
    code: sql`lower(r.code)`,
    size: sql`r.width_inches * r.height_inches`,
    price: sql`r.suggested_price_cents`,
    packages: sql`"packageCount"`,
  },
  rules: productRules,
  valuesOf: (draft) => ({
    ...{ code: draft.code.trim(), name: draft.name.trim(), description: draft.description.trim() },
    ...{ is_digital: draft.isDigital, width_inches: draft.widthInches, height_inches: draft.heightInches },
    ...{ tax_class: draft.taxClass, allow_crop: draft.allowCrop, lab_sku: draft.labSku.trim() },
    ...{ cost_cents: draft.costCents, suggested_price_cents: draft.suggestedPriceCents },
  }),
  checkDraft: async (tx, { tagIds }) =>
    (await hasUnknownTag(tx, tagIds)) ? problem('refused', productMessages.tags) : undefined,
  writeLinks: (tx, id, { tagIds }) => writeTags(tx, id, tagIds),
  // Also in earlier versions, which orders refer to.
  isUsed: sql<boolean>`exists (select from package_versions v where ${containsProduct})`,
  fileKey: imageKeyColumn,
  types: { print: sql`not r.is_digital`, digital: sql`r.is_digital` },
  unique: { columns: ['code'], field: 'code', message: productMessages.codeTaken },
  fixedWhileUsed: { column: 'code', field: 'code', message: productMessages.codeInUse },
}

const productFile: ResourceFile<ProductDraft> = {
  title: 'Products',
  columns: [
    textColumn('code', 'Code'),
    textColumn('name', 'Name'),
    textColumn('description', 'Description'),
    textColumn('isDigital', 'Kind'),
    { key: 'widthInches', heading: 'Width', type: 'count' },
    { key: 'heightInches', heading: 'Height', type: 'count' },
    textColumn('taxClass', 'Taxed as'),
    textColumn('allowCrop', 'Crop'),
    textColumn('labSku', 'Lab SKU'),
    { key: 'costCents', heading: 'Cost', type: 'money' },
    { key: 'suggestedPriceCents', heading: 'Suggested price', type: 'money' },
  ],
  rows: sql`
    select code, name, description, case when is_digital then 'digital' else 'print' end as "isDigital",
           width_inches as "widthInches", height_inches as "heightInches", tax_class as "taxClass",
           case when allow_crop then 'yes' else 'no' end as "allowCrop", lab_sku as "labSku", cost_cents as "costCents",
           suggested_price_cents as "suggestedPriceCents"
      from products where archived_at is null order by lower(name), id`,
  toDraft: ({ code = '', name = '', description = '', labSku = '', taxClass = '', ...cells }) => ({
    ...{ code, name, description, labSku, tagIds: [] },
    taxClass: taxClass as TaxClass, // the rules check it
    isDigital: cells.isDigital?.toLowerCase() === 'digital',
    allowCrop: cells.allowCrop?.toLowerCase() !== 'no',
    widthInches: cells.widthInches ? parseNumber(cells.widthInches) : null,
    heightInches: cells.heightInches ? parseNumber(cells.heightInches) : null,
    costCents: cells.costCents ? hundredthsOfCell(cells.costCents) : 0,
    suggestedPriceCents: cells.suggestedPriceCents ? hundredthsOfCell(cells.suggestedPriceCents) : null,
  }),
}

const tags: PlatformResource<TagDraft> = {
  table: 'tags',
  noun: 'tag',
  columns: sql`
    r.id, r.name, (select count(*) from product_tags k where k.tag_id = r.id) as "productCount", r.version`,
  name: sql`r.name`,
  sorts: { name: sql`lower(r.name)`, products: sql`"productCount"` },
  rules: tagRules,
  valuesOf: ({ name }) => ({ name: name.trim() }),
  unique: { columns: ['name'], field: 'name', message: tagMessages.nameTaken },
  usedBy: sql<string[]>`(
    select coalesce(json_agg(p.name order by lower(p.name)), '[]')
      from product_tags k join products p on p.id = k.product_id where k.tag_id = r.id)`,
}

const readUses = async ({ db }: Pick<Deps, 'db'>, id: number): Promise<calls.ProductUse[]> => {
  const { rows } = await sql<calls.ProductUse>`
    select s.id as "studioId", s.name as "studioName", q.id as "packageSetId", q.name as "packageSetName",
           p.id as "packageId", v.name as "packageName"
      from products r cross join ${currentVersions}
      join package_sets q on q.studio_id = p.studio_id and q.id = p.package_set_id
      join studios s on s.id = p.studio_id
     where r.id = ${id} and ${containsProduct}
     order by lower(s.name), s.id, lower(q.name), q.id, lower(v.name), p.id limit 100`.execute(db)
  return rows
}

/** Mounts the calls for the products that packages of all studios can contain, and for their tags. */
export const mountPlatformProducts = async (app: FastifyInstance, deps: Deps): Promise<void> => {
  const productHandlers = resourceHandlers<calls.PlatformProduct, ProductDraft>(deps, products)
  mount(app, deps, calls.listPlatformProducts, productHandlers.list)
  mount(app, deps, calls.getPlatformProduct, productHandlers.get)
  mount(app, deps, calls.postPlatformProduct, productHandlers.post)
  mount(app, deps, calls.putPlatformProduct, productHandlers.put)
  mount(app, deps, calls.deletePlatformProduct, productHandlers.remove)
  await mountProductImages(app, deps, productHandlers.get)
  const { exportFile, importFile } = resourceFileHandlers(deps, products, productFile)
  mount(app, deps, calls.exportProducts, exportFile)
  mount(app, deps, calls.importProducts, importFile)
  mount(app, deps, calls.listProductUses, ({ params }) => readUses(deps, params.id))
  const tagHandlers = resourceHandlers<calls.Tag, TagDraft>(deps, tags)
  mount(app, deps, calls.listTags, tagHandlers.list)
  mount(app, deps, calls.getTag, tagHandlers.get)
  mount(app, deps, calls.postTag, tagHandlers.post)
  mount(app, deps, calls.putTag, tagHandlers.put)
  mount(app, deps, calls.deleteTag, tagHandlers.remove)
}
