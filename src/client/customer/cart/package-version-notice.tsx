import { useState } from 'react'
import type { CartPackage } from '#domain/cart/cart.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { type ItemChange, packageChanges } from '#domain/catalogue/package-changes.ts'
import { acceptPackageVersion } from '#local/cart.ts'
import type { CartKey } from '#local/store/rows.ts'
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

type PackageVersionNoticeProps = { cartKey: CartKey; line: CartPackage; change: PackageChange }

/**
 * Shows how the studio changed a package in the cart. The cart keeps the old version until the customer accepts the new
 * one or removes the package.
 */
export const PackageVersionNotice = ({ cartKey, line, change }: PackageVersionNoticeProps) => {
  const [isAccepting, setIsAccepting] = useState(false)
  if (!change.current) {
    return (
      <Notice
        tone="attention"
        title={`${lineName(line)} is no longer offered`}
        action={<RemoveButton {...{ cartKey, line }} />}
      >
        The rest of your cart stays the same.
      </Notice>
    )
  }
  const { current, oldCents, newCents } = change
  const itemChanges = packageChanges(line.snapshot.package, current, itemLabel)
  const accept = async () => {
    setIsAccepting(true)
    const snapshot = { ...line.snapshot, package: current }
    const result = await acceptPackageVersion(database, stamp, { ...cartKey, lineId: line.lineId, snapshot })
    setIsAccepting(false)
    if (!result.ok) return toastError([result.message])
    toast(droppedAddOnsMessage(result.dropped) ?? `${lineName(line)}: accepted`)
    document.getElementById(lineElementId(line))?.focus({ preventScroll: true })
  }
  return (
    <Notice
      tone="attention"
      title={noticeTitle(change, { oldPackage: line.snapshot.package, hasItemChanges: itemChanges.length > 0 })}
      action={
        <>
          <Button size="sm" loading={isAccepting} onClick={() => void accept()}>
            Accept {oldCents === newCents ? 'the change' : <Price cents={newCents} />}
          </Button>
          <RemoveButton {...{ cartKey, line }} />
        </>
      }
    >
      {itemChanges.length > 0 && (
        <ul className={styles.changes}>
          {itemChanges.map((item) => (
            <li key={item.name}>{itemChangeText(item)}</li>
          ))}
        </ul>
      )}
      {packageName(line.snapshot.package) !== packageName(current) &&
        `Was “${packageName(line.snapshot.package)}”, now “${packageName(current)}”. `}
      {oldCents === newCents ? (
        'Same price.'
      ) : (
        <>
          Was <Price cents={oldCents} isCrossedOut />, now <Price cents={newCents} /> each.
        </>
      )}
    </Notice>
  )
}

const packageName = ({ name, altName }: Package): string => altName ?? name

type NoticeTitleInput = { oldPackage: Package; hasItemChanges: boolean }

/** The title names only the most important change: the items, then the price, the name, the description. */
const noticeTitle = (
  { current, oldCents, newCents }: PackageChange & { current: Package },
  { oldPackage, hasItemChanges }: NoticeTitleInput,
) => {
  if (hasItemChanges) return 'The studio changed what is in this package'
  if (oldCents !== newCents) return 'The studio changed this price'
  if (packageName(oldPackage) !== packageName(current)) return 'The studio renamed this package'
  if (oldPackage.altDescription !== current.altDescription) return 'The studio changed the description of this package'
  return 'The studio changed this package'
}

/** The message for one changed item: "5×7: was 2, now 1". */
const itemChangeText = ({ name, countBefore, countNow, details }: ItemChange): string => {
  if (countNow === 0) return `${name}: was ${countBefore}, now removed`
  if (countBefore === 0) return `${name}: added, ${countNow}`
  const countTexts = countBefore === countNow ? [] : [`was ${countBefore}, now ${countNow}`]
  const detailTexts = details ? [`was ${details.before}, now ${details.now}`] : []
  return `${name}: ${[...countTexts, ...detailTexts].join('; ')}`
}

const RemoveButton = ({ cartKey, line }: Pick<PackageVersionNoticeProps, 'cartKey' | 'line'>) => (
  <Button size="sm" variant="secondary" onClick={() => void removeLineWithUndo(cartKey, line.lineId)}>
    Remove
  </Button>
)
