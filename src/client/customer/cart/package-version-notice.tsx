import { useState } from 'react'
import type { CartPackage } from '#domain/cart/cart.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { type ItemChange, packageChanges } from '#domain/catalogue/package-changes.ts'
import { acceptPackageVersion } from '#local/cart.ts'
import type { CartKey } from '#local/store/database.ts'
import { database, stamp } from '#platform/database.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Price } from '#ui/price.tsx'
import { toast, toastError } from '#ui/toast/toast.ts'
import { lineName } from '../shared/cart/line-texts.ts'
import { itemLabel } from '../shared/catalogue/item-labels.ts'
import styles from './cart.module.css'
import { droppedAddOnsMessage, lineElementId, type PackageChange } from './line-labels.ts'
import { removeLineWithUndo } from './remove-with-undo.ts'

type VersionChangeProps = { cartKey: CartKey; line: CartPackage; change: PackageChange }

/** Shows a cart package that the studio changed, before and after. Nothing changes until the customer decides. */
export const PackageVersionNotice = ({ cartKey, line, change }: VersionChangeProps) => {
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
  const changes = packageChanges(line.snapshot.package, current, itemLabel)
  const accept = async () => {
    setBusy(true)
    const snapshot = { ...line.snapshot, package: current }
    const result = await acceptPackageVersion(database, stamp, { ...cartKey, lineId: line.lineId, snapshot })
    setBusy(false)
    if (!result.ok) return toastError([result.message])
    toast(droppedAddOnsMessage(result.dropped) ?? `${lineName(line)}: accepted`)
    document.getElementById(lineElementId(line))?.focus({ preventScroll: true })
  }
  return (
    <Notice
      tone="attention"
      title={titleOf(change, { before: line.snapshot.package, hasItemChanges: changes.length > 0 })}
      action={
        <>
          <Button size="sm" loading={busy} onClick={() => void accept()}>
            Accept {oldCents === newCents ? 'the change' : <Price cents={newCents} />}
          </Button>
          <Remove {...{ cartKey, line }} />
        </>
      }
    >
      {changes.length > 0 && (
        <ul className={styles.changes}>
          {changes.map((one) => (
            <li key={one.name}>{changeWords(one)}</li>
          ))}
        </ul>
      )}
      {nameOf(line.snapshot.package) !== nameOf(current) &&
        `Was “${nameOf(line.snapshot.package)}”, now “${nameOf(current)}”. `}
      {oldCents === newCents ? (
        'The price stays.'
      ) : (
        <>
          Was <Price cents={oldCents} struck />, now <Price cents={newCents} /> each.
        </>
      )}
    </Notice>
  )
}

const nameOf = ({ name, altName }: Package): string => altName ?? name

type PriceBefore = { before: Package; hasItemChanges: boolean }

/** The title names the change that matters most to the customer. */
const titleOf = (
  { current, oldCents, newCents }: PackageChange & { current: Package },
  { before, hasItemChanges }: PriceBefore,
) => {
  if (hasItemChanges) return 'The studio changed what is in this package'
  if (oldCents !== newCents) return 'The studio changed this price'
  if (nameOf(before) !== nameOf(current)) return 'The studio renamed this package'
  if (before.altDescription !== current.altDescription) return 'The studio changed the description of this package'
  return 'The studio changed this package'
}

/** One item before and after: "5×7: was 2, now 1". */
const changeWords = ({ name, countBefore, countNow, details }: ItemChange): string => {
  if (countNow === 0) return `${name}: was ${countBefore}, now removed`
  if (countBefore === 0) return `${name}: added, ${countNow}`
  const counts = countBefore === countNow ? [] : [`was ${countBefore}, now ${countNow}`]
  const changed = details ? [`was ${details.before}, now ${details.now}`] : []
  return `${name}: ${[...counts, ...changed].join('; ')}`
}

const Remove = ({ cartKey, line }: Pick<VersionChangeProps, 'cartKey' | 'line'>) => (
  <Button size="sm" variant="secondary" onClick={() => void removeLineWithUndo(cartKey, line.lineId)}>
    Remove
  </Button>
)
