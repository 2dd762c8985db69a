// Runs before the first paint, so that a chosen theme never flashes.
try {
  const theme = localStorage.getItem('coffer.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // A browser without storage has the system's theme.
}
