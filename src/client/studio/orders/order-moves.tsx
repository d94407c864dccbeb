import type { StaffOrder } from '../../../contract/studio/order-page.ts'
import { orderStateNames } from '../../../domain/order-states.ts'
import { useStudio } from '../../staff/staff-context.ts'
import styles from './orders.module.css'
import { momentWords } from './words.ts'

/** Where an order has been, when, and by whom. */
export const OrderMoves = ({ order: { moves } }: { order: StaffOrder }) => {
  const { timeZone } = useStudio()
  return (
    <ol className={styles.trail}>
      {moves.map(({ to, at, by, reason }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what has happened keeps its place
        <li key={place}>
          <span>{orderStateNames[to]}</span>
          <small className={styles.soft}>{[momentWords(at, timeZone), by, reason].filter(Boolean).join(' · ')}</small>
        </li>
      ))}
    </ol>
  )
}
