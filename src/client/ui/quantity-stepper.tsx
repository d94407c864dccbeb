import Minus from 'lucide-react/icons/minus'
import Plus from 'lucide-react/icons/plus'
import Trash from 'lucide-react/icons/trash'
import { IconButton } from './button.tsx'
import styles from './quantity-stepper.module.css'

type QuantityStepperProps = {
  /** What is counted ("Portrait Package"), for screen readers. */
  label: string
  value: number
  onValue: (value: number) => void
  /** With 0, the step below 1 removes the item (section 4) and looks like it. */
  min?: number
  max?: number
  disabled?: boolean
}

/** How many: one fewer, the number, one more. */
export const QuantityStepper = (props: QuantityStepperProps) => {
  const { label, value, onValue, min = 0, max = 99, disabled = false } = props
  const removes = value === 1 && min === 0
  return (
    <fieldset className={styles.stepper}>
      <legend className={styles.legend}>Quantity of {label}</legend>
      <IconButton
        icon={removes ? Trash : Minus}
        label={removes ? `Remove ${label}` : `One fewer ${label}`}
        disabled={disabled || value <= min}
        onClick={() => onValue(value - 1)}
      />
      <output className={`tabular ${styles.value}`} aria-live="polite">
        {value}
      </output>
      <IconButton
        icon={Plus}
        label={`One more ${label}`}
        disabled={disabled || value >= max}
        onClick={() => onValue(value + 1)}
      />
    </fieldset>
  )
}
