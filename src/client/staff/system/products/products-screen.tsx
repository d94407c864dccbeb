import { CsvMenu } from '#client/staff/kit/resource/csv-menu.tsx'
import { ResourceScreen } from '#client/staff/kit/resource/resource-screen.tsx'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { formatCount } from '#client/staff/kit/screen/format.ts'
import {
  deletePlatformProduct,
  deleteTag,
  exportProducts,
  importProducts,
  listPlatformProducts,
  listTags,
  type PlatformProduct,
  putPlatformProduct,
  putTag,
  type Tag,
} from '#contract/system/platform-products.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import { TabLinks } from '#ui/navigation/tabs.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import { ProductDialog } from './product-dialog.tsx'
import styles from './products.module.css'
import { TagDialog } from './tag-dialog.tsx'

const sizeOf = ({ widthInches, heightInches, isDigital }: PlatformProduct): string => {
  if (isDigital) return 'Download'
  return widthInches === null ? '–' : `${widthInches} × ${heightInches} in`
}

const productColumns: readonly Column<PlatformProduct>[] = [
  {
    id: 'name',
    header: 'Product',
    sort: 'name',
    cell: ({ name, imageUrl }) =>
      imageUrl ? (
        <span className={styles.name}>
          <img src={imageUrl} alt="" loading="lazy" />
          {name}
        </span>
      ) : (
        name
      ),
  },
  { id: 'code', header: 'Code', sort: 'code', cell: ({ code }) => code },
  { id: 'size', header: 'Size', sort: 'size', isOneLine: true, cell: sizeOf },
  { id: 'tags', header: 'Tags', cell: ({ tags }) => tags.join(', ') || '–' },
  { id: 'sku', header: 'Lab SKU', cell: ({ labSku }) => labSku || '–' },
  {
    id: 'price',
    header: 'Suggested',
    sort: 'price',
    isNumber: true,
    cell: ({ suggestedPriceCents }) => (suggestedPriceCents === null ? '–' : formatMoney(suggestedPriceCents)),
  },
  {
    id: 'packages',
    header: 'Packages',
    sort: 'packages',
    isNumber: true,
    cell: ({ packageCount }) => formatCount(packageCount),
  },
]

const productDraftOf = (product: PlatformProduct) => {
  const { id: _, tags: __, imageUrl: ___, packageCount: ____, isArchived: _____, version: ______, ...draft } = product
  return draft
}

const CatalogueTabs = ({ current }: { current: 'products' | 'products/tags' }) => (
  <TabLinks
    label="Product catalogue"
    links={[
      { label: 'Items', href: staffUrls.admin('system/products'), current: current === 'products' },
      { label: 'Tags', href: staffUrls.admin('system/products/tags'), current: current === 'products/tags' },
    ]}
  />
)

/** The products that packages of all studios can contain. */
export const ProductsScreen = () => (
  <ResourceScreen
    title="Products"
    lead="The prints and downloads in studios’ packages. A package keeps name and size until its studio edits it."
    noun="product"
    calls={{ list: listPlatformProducts, put: putPlatformProduct, remove: deletePlatformProduct }}
    columns={productColumns}
    nameOf={({ name }) => name}
    draftOf={productDraftOf}
    searchPlaceholder="Name, code, SKU or tag"
    types={{ print: 'Prints', digital: 'Downloads' }}
    removalMessage="Studios can no longer add it to packages. If a package contains it, it is archived instead, and the package is still sold."
    emptyText="Studios can’t create packages until there are products."
    extraActions={<CsvMenu calls={{ exportFile: exportProducts, importFile: importProducts }} />}
    dialog={(product, onClose) => <ProductDialog product={product} onClose={onClose} />}
  >
    <CatalogueTabs current="products" />
  </ResourceScreen>
)

const tagColumns: readonly Column<Tag>[] = [
  { id: 'name', header: 'Tag', sort: 'name', cell: ({ name }) => name },
  {
    id: 'products',
    header: 'Products',
    sort: 'products',
    isNumber: true,
    cell: ({ productCount }) => formatCount(productCount),
  },
]

/** The tags of products. */
export const ProductTagsScreen = () => (
  <ResourceScreen
    title="Product tags"
    lead="Words by which products are found."
    noun="tag"
    calls={{ list: listTags, put: putTag, remove: deleteTag }}
    columns={tagColumns}
    nameOf={({ name }) => name}
    searchPlaceholder="Name"
    removalMessage="A tag that products have can’t be removed."
    emptyText="Give products tags, such as “School” or “Sports”, to find them quickly."
    dialog={(tag, onClose) => <TagDialog tag={tag} onClose={onClose} />}
  >
    <CatalogueTabs current="products/tags" />
  </ResourceScreen>
)
