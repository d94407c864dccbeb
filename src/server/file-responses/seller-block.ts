import type { PostalAddress } from '#domain/shared/postal-address.ts'
import type { PdfBlock } from './pdf-writer.ts'

type Seller = {
  readonly name: string
  readonly legalName: string
  readonly address: PostalAddress
  readonly phone: string | null
  readonly email: string | null
  readonly website: string
}

const addressLines = ({ address1, address2, city, state, zip }: PostalAddress): string[] => [
  address1,
  address2,
  [city, `${state} ${zip}`.trim()].filter(Boolean).join(', '),
]

/** The studio at the top of its documents. */
export const sellerBlock = ({ name, legalName, address, phone, email, website }: Seller): PdfBlock => ({
  title: name,
  lines: [legalName === name ? '' : legalName, ...addressLines(address), phone ?? '', email ?? '', website],
})
