import { useFormContext } from 'react-hook-form'
import { RadioGroup, type RadioOption } from '#ui/form/radio-group.tsx'
import { type PromotionForm, promotionLabels } from './promotion-form.ts'
import styles from './promotions.module.css'

type PromotionType = 'typed' | 'automatic' | 'single-use'

const options: readonly RadioOption<PromotionType>[] = [
  { value: 'typed', label: 'Code that customers type', hint: 'Everyone types the same code' },
  { value: 'automatic', label: promotionLabels.isAutomatic, hint: 'Every cart that qualifies gets it' },
  {
    value: 'single-use',
    label: promotionLabels.hasSingleUseCodes,
    hint: 'Each is valid once and begins with the code below, such as SAVE10-7KQ2MXPA',
  },
]

/** Chooses how customers get a new promotion. */
export const PromotionTypeChoice = () => {
  const { watch, setValue } = useFormContext<PromotionForm>()
  const type = watch('isAutomatic') ? 'automatic' : watch('hasSingleUseCodes') ? 'single-use' : 'typed'
  const choose = (choice: PromotionType) => {
    setValue('isAutomatic', choice === 'automatic', { shouldDirty: true })
    setValue('hasSingleUseCodes', choice === 'single-use', { shouldDirty: true })
  }
  return (
    <RadioGroup
      legend={
        <>
          Type <span className={styles.soft}>(cannot be changed later)</span>
        </>
      }
      options={options}
      value={type}
      onValue={choose}
    />
  )
}
