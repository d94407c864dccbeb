import type { Failed } from '../../local/ask.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

/** The event is open to this customer, but what it says did not arrive. */
export const LayoutTrouble = ({ problem, again }: { problem: Failed; again: () => void }) => (
  <EmptyState title="This did not load" action={<Button onClick={again}>Try again</Button>}>
    {problem.errors[0]}. Anything you chose is kept on this phone.
  </EmptyState>
)
