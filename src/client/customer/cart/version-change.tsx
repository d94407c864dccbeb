import { useState } from 'react'
import type { CartPackage } from '../../../domain/cart.ts'
import { acceptVersion } from '../../../local/cart.ts'
import type { CartKey } from '../../../local/database.ts'
import { local, stamp } from '../../device/local.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Price } from '../../ui/price.tsx'
import { toast, toastError } from '../../ui/toast.ts'
import { lineName } from '../line-texts.ts'
import { droppedWords, type PackageChange } from './line-words.ts'
import { takeOut } from './removed.ts'

type VersionChangeProps = { cartKey: CartKey; line: CartPackage; change: PackageChange }

/** Where the focus goes on once the notice of a line has gone. */
export const idOf = ({ lineId }: CartPackage): string => `line-${lineId}`

/** The studio changed a package that lies in the cart: old and new, and the customer decides. Nothing changes by itself. */
export const VersionChange = ({ cartKey, line, change }: VersionChangeProps) => {
  const [busy, setBusy] = useState(false)
  if (!change.current) {
    return (
      <Notice
        tone="attention"
        title={`${lineName(line)} is not on offer any more`}
        action={<Remove {...{ cartKey, line }} />}
      >
        The rest of your cart stays as it is.
      </Notice>
    )
  }
  const { current, oldCents, newCents } = change
  const accept = async () => {
    setBusy(true)
    const snapshot = { ...line.snapshot, package: current }
    const answer = await acceptVersion(local, stamp, { ...cartKey, lineId: line.lineId, snapshot })
    setBusy(false)
    if (!answer.ok) return toastError([answer.sentence])
    toast(droppedWords(answer.dropped) ?? `${lineName(line)}: accepted`)
    document.getElementById(idOf(line))?.focus({ preventScroll: true })
  }
  return (
    <Notice
      tone="attention"
      title={oldCents === newCents ? 'The studio changed what is in this package' : 'The studio changed this price'}
      action={
        <>
          <Button size="sm" loading={busy} onClick={() => void accept()}>
            Accept {oldCents === newCents ? 'the change' : <Price cents={newCents} />}
          </Button>
          <Remove {...{ cartKey, line }} />
        </>
      }
    >
      {oldCents === newCents ? (
        `Look over ${lineName(line)} once more after accepting.`
      ) : (
        <>
          Was <Price cents={oldCents} struck />, now <Price cents={newCents} /> each.
        </>
      )}
    </Notice>
  )
}

const Remove = ({ cartKey, line }: Pick<VersionChangeProps, 'cartKey' | 'line'>) => (
  <Button size="sm" variant="secondary" onClick={() => void takeOut(cartKey, line.lineId)}>
    Remove
  </Button>
)
