// stdout is the wire. This module is imported first of all, so that nothing loaded later can print on it.
for (const method of ['log', 'info', 'debug', 'dir', 'dirxml'] as const)
  console[method] = (...data: unknown[]) => console.error(...data);
