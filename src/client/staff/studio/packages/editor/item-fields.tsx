import type { PackageItem } from '#domain/catalogue/catalogue.ts'
import { Button } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { rotateItem } from './editor-draft.ts'
import styles from './package-editor.module.css'

type ItemFieldsProps = {
  item: PackageItem
  onItem: (change: (item: PackageItem) => PackageItem, group?: string) => void
  onSettled: () => void
  errors: readonly string[]
}

/** Name and orientation of an item. */
export const ItemFields = ({ item, onItem, onSettled, errors }: ItemFieldsProps) => {
  const { widthInches, heightInches } = item
  const canRotate = widthInches !== null && heightInches !== null && widthInches !== heightInches
  return (
    <section className={styles.fields} aria-label="Item">
      <h3>Item</h3>
      <Field label="Name" hint="What customers read: “8×10 Print”" errors={errors}>
        <TextInput
          value={item.name}
          onValue={(name) => onItem((before) => ({ ...before, name }), `item ${item.id}`)}
          onBlur={onSettled}
        />
      </Field>
      {canRotate && (
        <Button variant="secondary" onClick={() => onItem(rotateItem)}>
          {heightInches > widthInches ? 'Landscape' : 'Portrait'}
        </Button>
      )}
      {widthInches !== null && <p>Tap an image or a text on the print to change it.</p>}
    </section>
  )
}
