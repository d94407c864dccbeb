import type { Failed } from '../../local/ask.ts'
import { Button } from '../ui/button.tsx'
import styles from './layout.module.css'

/** The event is open to this customer, but what it says did not arrive. */
export const LayoutTrouble = ({ problem, again }: { problem: Failed; again: () => void }) => (
  <div className={styles.message}>
    <h1>This did not load</h1>
    <p>{problem.errors[0]}. Anything you chose is kept on this phone.</p>
    <div>
      <Button onClick={again}>Try again</Button>
    </div>
  </div>
)
