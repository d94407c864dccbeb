import { Link } from 'wouter'
import type { PackageRow } from '#contract/studio/package-sets.ts'
import type { PackageAddonType } from '#domain/catalogue/catalogue.ts'
import { toCents } from '#domain/pricing/money.ts'
import { Price } from '#ui/price.tsx'
import type { Column } from '#ui/table/data-table.tsx'

/** Options of the archive filter for packages and package sets. */
export const archiveFilterOptions = [
  { value: '', label: 'In use' },
  { value: 'archived', label: 'In the archive' },
] as const

const addonTypeLabels: Readonly<Record<PackageAddonType, string>> = {
  standard: 'Package',
  addon_standard: 'Add-on',
  addon_price: 'Add-on above a minimum',
}

const offeredLabel = ({ offeredPrepay, offeredGallery }: PackageRow): string => {
  if (offeredPrepay && offeredGallery) return 'Always'
  if (offeredPrepay) return 'Before the picture day'
  return offeredGallery ? 'In the gallery' : 'Not offered'
}

const contentsLabel = ({ itemNames, itemCount }: PackageRow): string => {
  const moreCount = itemCount - itemNames.length
  return moreCount > 0 ? `${itemNames.join(', ')} and ${moreCount} more` : itemNames.join(', ')
}

/** Common columns of package lists; the name links to the editor. */
export const packageColumns = (urlOf: (row: PackageRow) => string): readonly Column<PackageRow>[] => [
  {
    id: 'name',
    header: 'Package',
    sort: 'name',
    cell: (row) => <Link href={urlOf(row)}>{row.altName ?? row.name}</Link>,
  },
  {
    id: 'price',
    header: 'Price',
    sort: 'price',
    isNumber: true,
    cell: ({ retailCost }) => <Price cents={toCents(retailCost)} />,
  },
  { id: 'kind', header: 'Sold as', cell: ({ addonType }) => addonTypeLabels[addonType] },
  { id: 'items', header: 'Contents', cell: contentsLabel },
  { id: 'offered', header: 'Offered', cell: offeredLabel },
]
