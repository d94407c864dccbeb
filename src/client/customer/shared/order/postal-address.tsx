import type { Address } from '#contract/shapes/order-structs.ts'

/** An address in lines, as on an envelope. */
export const PostalAddress = ({ address }: { address: Address }) => {
  const { firstName, lastName, address1, address2, city, state, zip } = address
  const lines = [`${firstName} ${lastName}`.trim(), address1, address2, `${city}, ${state} ${zip}`]
  return (
    <address>
      {lines
        .filter((line) => line !== '')
        .map((line) => (
          <span key={line}>
            {line}
            <br />
          </span>
        ))}
    </address>
  )
}
