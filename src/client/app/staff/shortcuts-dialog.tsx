import { useMemo } from 'react'
import { useActiveShortcuts, useShortcuts } from '#client/staff/kit/screen/use-shortcuts.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import styles from './staff-layout.module.css'

const focusFilter = () => document.querySelector<HTMLInputElement>('[data-list-filter]')?.focus()

/** Lists the keyboard shortcuts of this screen. `?` opens it. */
export const ShortcutsDialog = ({ open, onOpen }: { open: boolean; onOpen: (open: boolean) => void }) => {
  const everywhere = useMemo(
    () => [
      { key: '?', description: 'Show these keys', run: () => onOpen(true) },
      { key: '/', description: 'Find in the list', run: focusFilter },
    ],
    [onOpen],
  )
  useShortcuts(everywhere)
  const keys = useActiveShortcuts()
  return (
    <Dialog open={open} onClose={() => onOpen(false)} title="Keyboard shortcuts" size="small">
      <dl className={styles.keys}>
        {keys.map(({ key, description }) => (
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
