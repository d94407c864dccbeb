import papaparse from 'papaparse'
import type { Address } from '#contract/shapes/order-structs.ts'

/** A print file of the packet. */
export type ManifestFile = {
  file: string
  sha256: string
  productCode: string
  item: string
  widthInches: number
  heightInches: number
  copies: number
  /** The text of the subject's name and year service on it, or empty. */
  nameAndYear: string
}

export type ManifestLine = { package: string; person: string; quantity: number; files: ManifestFile[] }

/** The data of an order that the lab needs besides the files. `services` are as ordered, with their texts. */
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

/** The manifest as JSON. */
export const manifestJson = (manifest: Manifest): string => `${JSON.stringify(manifest, null, 2)}\n`

/** The manifest as CSV, one row per file. Formulas are escaped, so that customer input stays text in a spreadsheet. */
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
