// Checks logins with the built service for login-checks.ts, one for each message. This is much faster than a start of
// the service for each check.
const { join } = require('node:path');
const { verifyServiceLogin } = require(join(__dirname, '../../dist/src/database/roles/service-role.js'));

process.on('message', ({ id, connection }) => {
  verifyServiceLogin(connection).then(
    (login) => process.send({ id, login }),
    (error) => process.send({ id, refusal: String(error.message) }),
  );
});
process.once('disconnect', () => process.exit());
