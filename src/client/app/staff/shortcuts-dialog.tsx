import { useMemo } from 'react'
import { useActiveShortcuts, useShortcuts } from '#client/staff/kit/screen/use-shortcuts.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import styles from './staff-layout.module.css'

const focusFilter = () => document.querySelector<HTMLInputElement>('[data-list-filter]')?.focus()

/** Lists the active keyboard shortcuts. Registers the global ones: `?` opens this dialog, `/` focuses the list filter. */
export const ShortcutsDialog = ({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) => {
  const globalShortcuts = useMemo(
    () => [
      { key: '?', description: 'Show shortcuts', run: () => onOpenChange(true) },
      { key: '/', description: 'Find in the list', run: focusFilter },
    ],
    [onOpenChange],
  )
  useShortcuts(globalShortcuts)
  const shortcuts = useActiveShortcuts()
  return (
    <Dialog open={open} onClose={() => onOpenChange(false)} title="Keyboard shortcuts" size="small">
      <dl className={styles.keys}>
        {shortcuts.map(({ key, description }) => (
          <div key={key + description}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{description}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>↑</kbd> <kbd>↓</kbd>
          </dt>
          <dd>Go from row to row in a table</dd>
        </div>
      </dl>
    </Dialog>
  )
}
