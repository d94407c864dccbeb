import { VisuallyHidden } from '../visually-hidden.tsx'
import styles from './data-table.module.css'

/** The ids of the selected rows, also of other pages. */
export type Selection = { ids: ReadonlySet<string>; change: (ids: ReadonlySet<string>) => void }

type SelectionBoxProps = {
  label: string
  isLabelShown?: boolean
  checked: boolean
  isPartial?: boolean
  onChange: () => void
}

const SelectionBox = ({ label, isLabelShown = false, checked, isPartial = false, onChange }: SelectionBoxProps) => (
  <label className={styles.box}>
    <input
      type="checkbox"
      checked={checked}
      ref={(box) => {
        if (box) box.indeterminate = isPartial
      }}
      onChange={onChange}
    />
    {isLabelShown ? label : <VisuallyHidden>{label}</VisuallyHidden>}
  </label>
)

/** Selects or deselects `ids`; the rows of other pages stay as they are. */
const setSelected = ({ ids: before, change }: Selection, ids: readonly string[], isSelected: boolean): void =>
  change(isSelected ? new Set([...before, ...ids]) : new Set([...before].filter((id) => !ids.includes(id))))

type SelectPageHeaderProps = { ids: readonly string[]; selection: Selection; isPhone: boolean }

/** The header of the checkboxes: selects all rows of the page. */
export const SelectPageHeader = ({ ids, selection, isPhone }: SelectPageHeaderProps) => {
  const count = ids.filter((id) => selection.ids.has(id)).length
  const isAllSelected = ids.length > 0 && count === ids.length
  return (
    <th scope="col" className={styles.selection}>
      <SelectionBox
        label="Select all on this page"
        isLabelShown={isPhone}
        checked={isAllSelected}
        isPartial={count > 0 && !isAllSelected}
        onChange={() => setSelected(selection, ids, !isAllSelected)}
      />
    </th>
  )
}

/** The checkbox of a row. */
export const SelectRow = ({ id, name, selection }: { id: string; name: string; selection: Selection }) => {
  const isSelected = selection.ids.has(id)
  return (
    <td className={styles.selection}>
      <SelectionBox
        label={`Select ${name}`}
        checked={isSelected}
        onChange={() => setSelected(selection, [id], !isSelected)}
      />
    </td>
  )
}
