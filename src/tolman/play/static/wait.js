// Looks again until the log is written.

setTimeout(() => location.reload(), 700);
