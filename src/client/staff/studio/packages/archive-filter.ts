/** Between what a list of packages or of their sets is chosen. */
export const archiveFilterOptions = [
  { value: '', label: 'In use' },
  { value: 'archived', label: 'In the archive' },
] as const
