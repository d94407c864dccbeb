import Trash from 'lucide-react/icons/trash-2'
import type { EntryPackage } from '../../../contract/studio/entry.ts'
import { IconButton } from '../../ui/button.tsx'
import styles from './entry.module.css'

/** A package that was keyed in before it is known for whom. */
export type Held = { readonly id: string; readonly one: EntryPackage; readonly quantity: number }

type HeldPackagesProps = { held: readonly Held[]; onRemove: (held: Held) => void }

/** What waits until it is known whom the form is for. */
export const HeldPackages = ({ held, onRemove }: HeldPackagesProps) => {
  if (held.length === 0) return null
  return (
    <ol className={styles.lines} aria-label="Waiting for a person">
      {held.map((one) => (
        <li key={one.id} className={styles.line}>
          <div className={styles.lineHead}>
            <p className={styles.lineName}>
              <strong>
                {one.quantity > 1 && `${one.quantity} × `}
                {one.one.number} {one.one.package.name}
              </strong>
              <span>Waits for whom it is for</span>
            </p>
            <IconButton icon={Trash} label={`Take ${one.one.package.name} off`} onClick={() => onRemove(one)} />
          </div>
        </li>
      ))}
    </ol>
  )
}
