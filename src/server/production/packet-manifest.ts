import papaparse from 'papaparse'
import type { Address } from '#contract/customer/checkout-calls.ts'

/** A print file as the lab finds it in the packet. */
export type ManifestFile = {
  file: string
  sha256: string
  productCode: string
  item: string
  widthInches: number
  heightInches: number
  copies: number
  /** What the person's name and year service prints on it; empty where nothing. */
  nameAndYear: string
}

export type ManifestLine = { package: string; person: string; quantity: number; files: ManifestFile[] }

/** What a lab needs to know of an order beside its files: `services` as they were ordered, with what they say. */
export type ManifestOrder = {
  orderNumber: string
  placedAt: string
  customer: { firstName: string; lastName: string }
  shipping: { option: string | null; toStudio: boolean; address: Address | null }
  lines: ManifestLine[]
  services: { name: string; person: string; detail: unknown }[]
}

export type Manifest = {
  version: 1
  packetId: number
  studio: string
  job: string
  madeAt: string
  dpi: number
  orders: ManifestOrder[]
}

const shipTo = ({ shipping: { toStudio, address } }: ManifestOrder): string => {
  if (toStudio || !address) return 'Studio'
  const { firstName, lastName, address1, address2, city, state, zip } = address
  return [`${firstName} ${lastName}`.trim(), address1, address2, `${city}, ${state} ${zip}`].filter(Boolean).join(', ')
}

/** The packet for programs. */
export const manifestJson = (manifest: Manifest): string => `${JSON.stringify(manifest, null, 2)}\n`

/** A row for each file, for those who read tables. Whatever a customer typed stays text in a spreadsheet. */
export const manifestCsv = ({ orders }: Manifest): string =>
  papaparse.unparse(
    orders.flatMap((order) =>
      order.lines.flatMap((line) =>
        line.files.map((file) => ({
          order: order.orderNumber,
          package: line.package,
          person: line.person,
          item: file.item,
          product: file.productCode,
          size: `${file.widthInches}x${file.heightInches}`,
          copies: file.copies,
          nameAndYear: file.nameAndYear,
          file: file.file,
          shipping: order.shipping.option ?? '',
          shipTo: shipTo(order),
        })),
      ),
    ),
    { escapeFormulae: true },
  )
