"""Private PostgreSQL servers for this test and others: their data, sockets and extension lie below build/."""

import atexit
import contextlib
import os
import pwd
import re
import shutil
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
DEADLINE = 60  # seconds that anything may take that is waited for


def pg_config(option):
    """What pg_config says, of the PostgreSQL that the caller chose."""
    return subprocess.check_output([os.environ.get("PG_CONFIG", "pg_config"), option], text=True).strip()


BIN, SHAREDIR, PKGLIBDIR = pg_config("--bindir"), pg_config("--sharedir"), pg_config("--pkglibdir")


def server_user():
    """Who runs the servers, as options of subprocess: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            entry = pwd.getpwnam(name)
            return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    raise SystemExit("there is no user to run a server as")


def wait_until(what, condition):
    """Asks again until the condition holds; an error after the deadline."""
    end = time.monotonic() + DEADLINE
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"{what}: not within {DEADLINE} s")
        time.sleep(0.02)


class Server:
    """One server, and its database 'fleet'."""

    def __init__(self, directory, socket, port, user):
        self.directory, self.socket, self.port, self.os_user = directory, socket, port, user
        self.data = directory + "/data"
        self.env = {key: value for key, value in os.environ.items() if not key.startswith("PG")}
        self.env.update(HOME="/", LC_ALL="C.UTF-8")
        self.client_env = {**self.env, "PGHOST": socket, "PGPORT": str(port), "PGDATABASE": "fleet",
                           "PGOPTIONS": "-c client_min_messages=warning", "PGTZ": "UTC"}

    def tool(self, name, *arguments):
        """Runs a program of PostgreSQL as the server's user; an error with its output if it fails."""
        # A file for the output: a server that was started would keep a pipe open.
        with tempfile.TemporaryFile("w+") as out:
            command = [os.path.join(BIN, name), *arguments]
            status = subprocess.call(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, cwd="/",
                                     env=self.env, **self.os_user)
            if status != 0:
                out.seek(0)
                raise subprocess.CalledProcessError(status, command, out.read())

    def configure(self, **settings):
        """Adds settings to those that the server starts with; the last of a name counts."""
        with open(self.data + "/postgresql.conf", "a", encoding="utf-8") as file:
            file.writelines(f"{key} = '{value}'\n" for key, value in settings.items())

    def ask_password_of(self, role):
        """Lets the role in with a password only."""
        path = self.data + "/pg_hba.conf"
        with open(path, encoding="utf-8") as file:
            rules = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"local all {role} scram-sha-256\n{rules}")

    def follow(self, primary, **settings):
        """Makes this a hot standby of a running server, and starts it."""
        self.tool("pg_basebackup", "-D", self.data, "-R", "-c", "fast", "--no-sync",
                  "-d", f"host={primary.socket} port={primary.port} user=postgres")
        self.configure(port=self.port, **settings)
        self.start()

    def start(self):
        self.tool("pg_ctl", "-D", self.data, "-l", self.directory + "/log", "-s", "-w", "start")

    def stop(self, mode="fast"):
        self.tool("pg_ctl", "-D", self.data, "-s", "-m", mode, "-w", "stop")

    def psql(self, script, user="postgres", database="fleet", stop_at_error=True):
        """What psql prints, rows unaligned; the first error ends the script, or is part of the output."""
        done = subprocess.run([os.path.join(BIN, "psql"), "-XqAt", "-v", f"ON_ERROR_STOP={int(stop_at_error)}"],
                              input=script, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT,
                              env={**self.client_env, "PGUSER": user, "PGDATABASE": database}, check=False)
        if done.returncode != 0:
            raise subprocess.CalledProcessError(done.returncode, ["psql", script], done.stdout)
        return done.stdout

    def value(self, query, **options):
        """The one value that a query gives."""
        return self.psql(query, **options).strip()


class Servers:
    """All servers of a test, in one directory that goes away at the end."""

    def __init__(self, name="distributed"):
        self.user = server_user()
        os.makedirs(os.path.join(ROOT, "build"), exist_ok=True)
        self.directory = self.reachable(tempfile.mkdtemp(prefix=name + "-", dir=os.path.join(ROOT, "build")))
        self.socket = self.directory
        if len(self.socket) > 80:  # a socket's path has at most 107 bytes
            self.socket = tempfile.mkdtemp(prefix="gpu_advisor-")
        for directory in {self.directory, self.socket}:
            self.own(directory)
        self.all = []
        self.stage = self.directory + "/stage"
        atexit.register(self.end)
        shutil.copytree(self.given_stage(), self.stage)

    def own(self, path):
        if self.user:
            os.chown(path, self.user["user"], self.user["group"])

    def reachable(self, directory):
        """The directory, or one in /tmp where the server's user cannot enter the checkout."""
        self.own(directory)
        entered = subprocess.run(["test", "-w", directory], check=False, cwd="/", **self.user)
        if entered.returncode == 0:
            return directory
        os.rmdir(directory)
        return tempfile.mkdtemp(prefix="gpu_advisor-")

    def has_destdir(self):
        """Whether this PostgreSQL has Debian's setting for an extension outside its own directories."""
        settings = subprocess.check_output([os.path.join(BIN, "postgres"), "--describe-config"], text=True, cwd="/",
                                           **self.user)
        return "\nextension_destdir\t" in settings

    def given_stage(self):
        """Where the server that PGHOST and the like name finds the extension."""
        setting = "extension_destdir" if self.has_destdir() else "extension_control_path"
        shown = subprocess.check_output([os.path.join(BIN, "psql"), "-XAtc", f"SHOW {setting}", "-d", "postgres"],
                                        text=True).strip()
        path = shown.split(":")[0]
        return path[:-len(SHAREDIR)] if path.endswith(SHAREDIR) else path

    def script(self):
        """The install script, and the path of it up to the version."""
        path = self.stage + SHAREDIR + "/extension/gpu_advisor"
        with open(path + ".control", encoding="utf-8") as file:
            version = re.search(r"default_version = '(.*)'", file.read()).group(1)
        with open(f"{path}--{version}.sql", encoding="utf-8") as file:
            return file.read(), f"{path}--{version}"

    def add_next_version(self):
        """Puts the update to a later version, which the test of updates has, beside this one."""
        with open(os.path.join(ROOT, "test/dump_restore/next_version.sql"), encoding="utf-8") as file:
            changes = file.read()
        with open(self.script()[1] + "--next.sql", "w", encoding="utf-8") as file:
            file.write(changes)

    def reach_stage(self):
        """The settings with which a server finds the extension in the stage."""
        if self.has_destdir():
            return {"extension_destdir": self.stage}
        return {"extension_control_path": f"{self.stage}{SHAREDIR}:$system",
                "dynamic_library_path": f"{self.stage}{PKGLIBDIR}:$libdir"}

    def add(self, name):
        """A server without data."""
        directory = os.path.join(self.directory, name)
        os.mkdir(directory)
        self.own(directory)
        server = Server(directory, self.socket, 5432 + len(self.all), self.user)
        self.all.append(server)
        return server

    def create(self, name, **settings):
        """A new cluster, not started."""
        server = self.add(name)
        server.tool("initdb", "-D", server.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8",
                    "--no-sync")
        server.configure(listen_addresses="", unix_socket_directories=self.socket, port=server.port, fsync="off",
                         unix_socket_permissions="0700", shared_buffers="16MB", max_connections="20",
                         **self.reach_stage(), **settings)
        return server

    def copy(self, name, source):
        """Another cluster with what a stopped one holds."""
        server = self.add(name)
        subprocess.check_call(["cp", "-a", source.data, server.data])
        server.configure(port=server.port)
        return server

    def end(self):
        """Stops what runs, whose data nobody needs, and leaves nothing behind."""
        for server in self.all:
            if os.path.exists(server.data + "/postmaster.pid"):
                with contextlib.suppress(subprocess.CalledProcessError):
                    server.stop("immediate")
        for directory in {self.directory, self.socket}:
            shutil.rmtree(directory, ignore_errors=True)
