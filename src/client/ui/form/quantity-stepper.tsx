import Minus from 'lucide-react/icons/minus'
import Plus from 'lucide-react/icons/plus'
import Trash from 'lucide-react/icons/trash'
import { useState } from 'react'
import { IconButton } from '../button/button.tsx'
import hiddenStyles from '../visually-hidden.module.css'
import styles from './quantity-stepper.module.css'

type QuantityStepperProps = {
  /** What is counted ("Portrait Package"), for screen readers. */
  label: string
  value: number
  /**
   * Resolves when the step is stored and `value` has updated, or when it was rejected. The new number is shown at once.
   */
  onStep: (by: 1 | -1) => Promise<void>
  /** Called by the button for one fewer instead of `onStep` if the value would fall below 1 (section 4). */
  onRemove: () => void
  /** The smallest quantity; 0 if the last one can be removed. */
  min?: number
  max?: number
  disabled?: boolean
}

type OptimisticQuantity = { value: number; pendingWrites: number }

/** The optimistic number until every pending step is stored or rejected, then the stored one. */
const useSteps = (stored: number, onStep: QuantityStepperProps['onStep']) => {
  const [optimistic, setOptimistic] = useState<OptimisticQuantity | null>(null)
  const step = async (by: 1 | -1) => {
    setOptimistic((current) => ({
      value: (current?.value ?? stored) + by,
      pendingWrites: (current?.pendingWrites ?? 0) + 1,
    }))
    await onStep(by).finally(() =>
      setOptimistic((current) =>
        current && current.pendingWrites > 1 ? { ...current, pendingWrites: current.pendingWrites - 1 } : null,
      ),
    )
  }
  return { value: optimistic?.value ?? stored, isSaving: optimistic !== null, step: (by: 1 | -1) => void step(by) }
}

/** A quantity with buttons for one fewer and one more. */
export const QuantityStepper = (props: QuantityStepperProps) => {
  const { label, value: stored, onStep, onRemove, min = 0, max = 99, disabled = false } = props
  const { value, isSaving, step } = useSteps(stored, onStep)
  const isLastPiece = value <= 1 && min < 1
  return (
    <fieldset className={styles.stepper} aria-busy={isSaving}>
      <legend className={hiddenStyles.hidden}>Quantity of {label}</legend>
      <IconButton
        icon={isLastPiece ? Trash : Minus}
        label={isLastPiece ? `Remove ${label}` : `One fewer ${label}`}
        disabled={disabled}
        aria-disabled={value <= min || undefined}
        onClick={() => value > min && (isLastPiece ? onRemove() : step(-1))}
      />
      <output className={`tabular ${styles.value}`} aria-live="polite">
        {value}
      </output>
      <IconButton icon={Plus} label={`One more ${label}`} disabled={disabled || value >= max} onClick={() => step(1)} />
    </fieldset>
  )
}
