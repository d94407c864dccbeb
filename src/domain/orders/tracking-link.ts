type Carrier = {
  readonly name: string
  readonly pattern: RegExp
  /** The page about a parcel, without its number at the end. */
  readonly url: string
}

/** The forms of the carriers' tracking numbers, which do not overlap, and their pages for them. */
const carriers: readonly Carrier[] = [
  { name: 'UPS', pattern: /^1Z[0-9A-Z]{16}$/, url: 'https://www.ups.com/track?tracknum=' },
  {
    name: 'USPS',
    pattern: /^(9[1-5]\d{18,24}|[A-Z]{2}\d{9}US)$/,
    url: 'https://tools.usps.com/go/TrackConfirmAction?tLabels=',
  },
  { name: 'FedEx', pattern: /^(\d{12}|\d{15})$/, url: 'https://www.fedex.com/fedextrack/?trknbr=' },
]

/** The carrier of a tracking number and its page about the parcel; undefined for a number that belongs to none of them. */
export const trackingLink = (trackingNumber: string): { carrier: string; href: string } | undefined => {
  const number = trackingNumber.replaceAll(/[\s-]/g, '').toUpperCase()
  const carrier = carriers.find(({ pattern }) => pattern.test(number))
  return carrier && { carrier: carrier.name, href: `${carrier.url}${number}` }
}
